import type { Command } from 'commander';
import { webAddress } from '../../archive/given/web-address.ts';
import { UserError } from '../../archive/user-error.ts';
import { say } from '../status-line.ts';

interface LoginFlags {
  readonly sessionFile: string;
  readonly allowPrivate: boolean;
  readonly proxy: string[];
  readonly proxyDns: boolean;
  readonly json: boolean;
}

export function loginCommand(program: Command): void {
  program
    .command('login')
    .argument('<url>', 'where to log in')
    .summary('log in to a site in a window, and keep the session for crawls')
    .description(
      'Opens a browser window at the address. Log in there as usual; then press Enter in the terminal, or close the ' +
        'window. Cookies and storage are kept in the session file, encrypted with the key in DAGUERRE_SESSION_KEY; ' +
        "'daguerre archive --session-file' uses them. Nothing else of the window is kept.",
    )
    .requiredOption('--session-file <file>', 'where to keep the session')
    .option('--allow-private', 'allow requests to private and loopback addresses', false)
    .option(
      '--proxy <value>',
      'way out, as with archive (repeatable)',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--proxy-dns', 'let proxies resolve names', false)
    .option('--json', 'what was kept, as JSON', false)
    .addHelpText(
      'after',
      `
Examples:
  daguerre login https://example.org/login --session-file example.session
  daguerre archive https://example.org/members/ --session crawl --session-file example.session

The key, once, before both; without it the file is lost:
  export DAGUERRE_SESSION_KEY="$(openssl rand -base64 24)"`,
    )
    .action(openWindow);
}

async function openWindow(given: string, flags: LoginFlags): Promise<void> {
  const address = webAddress(given);
  if (!address) throw new UserError(`'${given}' is no address; write e.g. https://example.org/login`);
  const { login } = await import('../../archive/session/login.ts');
  const saved = await login(address.url, {
    ...flags,
    done: enterPressed(),
    onOpen: () => say(process.stderr, 'Log in in the window; then press Enter here, or close the window.'),
  });
  process.stdin.destroy();
  process.stdout.write(
    flags.json
      ? `${JSON.stringify(saved)}\n`
      : `${saved.cookies} cookies, and the storage of ${saved.origins} origins, kept in ${saved.file}\n`,
  );
}

/** Never resolves if stdin ends without a line: then closing the window serves. */
const enterPressed = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once('data', () => resolve());
  });
