import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  NO_ACCESS,
  readServerSettings,
  type ServerSettings,
  tokenFrom,
} from '../../archive/serve/server-settings.ts';
import { UserError } from '../../archive/user-error.ts';
import { parsePort } from '../arguments.ts';
import { interrupted, onInterrupt } from '../interrupt.ts';
import { say } from '../status-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ServeOptions extends CommonOptions {
  readonly port: number;
  readonly replayPort: number;
  readonly host: string;
  readonly scripts: 'on' | 'off';
  readonly publicUrl?: string;
  readonly publicReplayUrl?: string;
  readonly config?: string;
  readonly token?: string;
  readonly hashPassword: boolean;
  readonly new: boolean;
}

export function serveCommand(program: Command): void {
  archiveOptions(
    program
      .command('serve')
      .summary('browse and replay the archive')
      .description(
        'Serves the web page on one port and replayed pages on another, each archived site on a host of its own ' +
          '(<site>.localhost), so that archived scripts reach neither the web page nor other sites. Listens on ' +
          'loopback unless told otherwise; anywhere else it needs a token or users. The API: docs/api.md. What replay keeps ' +
          'from the live web: docs/replay.md.',
      ),
  )
    .option('--port <number>', 'port of the web page', parsePort, 8470)
    .option('--replay-port <number>', 'port of replayed content', parsePort, 8471)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--scripts <on|off>', 'off: replay never runs archived scripts')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--public-url <url>', 'how browsers reach the web page behind a proxy with TLS', parsePublicUrl)
    .option(
      '--public-replay-url <url>',
      'how they reach replay: https://*.replay.example.org gives each site a host of its own',
      parsePublicUrl,
    )
    .option('--config <file>', 'users, tokens and what crawls that are started here may do (docs/api.md)')
    .option('--token <text>', 'whoever sends it may do everything; env:NAME takes it from a variable')
    .option('--new', 'where the folder is empty or not there: make an archive in it first', false)
    .option(
      '--hash-password',
      'read a password from standard input, print its hash for --config, and end',
      false,
    )
    .addHelpText(
      'after',
      `
Examples:
  daguerre serve --archive ./archive --port 8470
  daguerre serve --archive ./new-archive --new
  daguerre serve --host 0.0.0.0 --token env:DAGUERRE_TOKEN
  daguerre serve --storage s3://library-web/news --database postgres://reader@db/news
  daguerre serve --hash-password < password.txt
  daguerre serve --host 0.0.0.0 --config server.yaml`,
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  if (options.hashPassword) return printHash();
  const [{ serveArchive }, { onceDatabaseIsThere }] = await Promise.all([
    import('../../server/serve-archive.ts'),
    import('../../archive/short-wait.ts'),
  ]);
  const settings = await settingsOf(options);
  if (options.new) await makeNew(options);
  const interrupt = onInterrupt('Stopping.');
  try {
    const server = await onceDatabaseIsThere(
      () => serveArchive(options, { ...options, settings, scripts: options.scripts === 'on' }),
      {
        wait: options.databaseWait,
        tell: (sentence) => say(process.stderr, sentence),
        signal: interrupt.signal,
      },
    );
    if (server.notice !== undefined) process.stderr.write(`${server.notice}\n`);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ url: server.url, replayUrl: server.replayUrl, collection: server.collection })}\n`
        : `Serving ${server.root} at ${server.url} (Ctrl-C stops)\n`,
    );
    await interrupted(interrupt.signal);
    await server.close();
  } finally {
    interrupt.dispose();
  }
}

async function makeNew(options: ServeOptions): Promise<void> {
  const { makeEmptyArchive } = await import('../../archive/open/make-archive.ts');
  const root = await makeEmptyArchive(options);
  if (root !== undefined) process.stderr.write(`Made an empty archive at ${root}\n`);
}

async function settingsOf({ config, token }: ServeOptions): Promise<ServerSettings> {
  const settings = config === undefined ? NO_ACCESS : await readServerSettings(config);
  if (token === undefined) return settings;
  const own = { name: '--token', role: 'admin', token: tokenFrom(token, '--token') } as const;
  return { ...settings, tokens: [...settings.tokens, own] };
}

async function printHash(): Promise<void> {
  const { hashPassword } = await import('../../server/guard/passwords.ts');
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new UserError('the password is empty: write it to standard input');
  process.stdout.write(`${await hashPassword(password)}\n`);
}

function parsePublicUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('write a URL, such as https://archive.example.org');
}
