import type { Command } from 'commander';
import { webAddress } from '../../archive/given/web-address.ts';
import { UserError } from '../../archive/user-error.ts';
import { askAnywhere } from '../../archive/writer/ask-anywhere.ts';
import { NO_WATCH } from '../../archive/writer/requests.ts';
import { EXIT } from '../exit-codes.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface PingFlags extends CommonOptions {
  readonly by: string;
}

export function pingCommand(program: Command): void {
  archiveOptions(
    program
      .command('ping')
      .argument('<url...>', 'pages that may have changed')
      .summary('tell a running watch that pages may have changed')
      .description(
        'Tells the watch of the archive that pages may have changed: it weighs that against what else is due. How much ' +
          'a ping is worth is learnt from what visits after it find.',
      ),
  )
    .option('--by <name>', 'who says so: each is believed by how often they were right', 'daguerre ping')
    .addHelpText('after', '\nExample:\n  daguerre ping https://example.org/news/ --by cms')
    .action(async (urls: readonly string[], flags: PingFlags) => {
      process.exitCode = await ping(urls, flags);
    });
}

async function ping(given: readonly string[], flags: PingFlags): Promise<number> {
  const urls = given.map((text) => {
    const address = webAddress(text);
    if (!address)
      throw new UserError(`'${text}' is no address of a page; write e.g. https://example.org/news/`);
    return address.url;
  });
  const answer = await askAnywhere(flags, 'ping', { urls, by: flags.by });
  if (!answer) throw new UserError(NO_WATCH);
  const { heard, unwatched } = answer;
  const text = [
    ...(heard.length > 0 ? [`Heard: ${heard.join(', ')}`] : []),
    ...(unwatched.length > 0 ? [`Not watched: ${unwatched.join(', ')}`] : []),
  ];
  await writeOutput(flags.json ? `${JSON.stringify(answer)}\n` : `${text.join('\n')}\n`, undefined);
  return heard.length > 0 ? EXIT.ok : EXIT.usage;
}
