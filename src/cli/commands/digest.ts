import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseMoment } from '../../archive/given/moment.ts';
import { webAddress } from '../../archive/given/web-address.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import { plural } from '../quantity-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface DigestFlags extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly format?: (typeof FORMATS)[number];
  readonly base: string;
  readonly output?: string;
}

const FORMATS = ['text', 'html', 'json', 'atom'] as const;

/** Span of a digest if none is given: the last week. */
const WEEK = 7 * 86_400_000;

export function digestCommand(program: Command): void {
  archiveOptions(
    program
      .command('digest')
      .argument('<url>', 'address of an index page, such as the home page of a newspaper')
      .summary('all headlines that came on a page over a span of time')
      .description(
        'Merges the archived versions of an index page into one: the links that came into its important blocks, each ' +
          'once, by section, with when they were first and last seen, without advertisements, each leading to the archived ' +
          'article. Versions count once they were looked at: by a browser when they were captured, or by daguerre analyse.',
      ),
  )
    .option('--from <time>', 'start of the span, as 2026-03-01 or 7d (default: a week before its end)')
    .option('--to <time>', 'end of the span (default: now)')
    .addOption(new Option('--format <format>', 'how (default: text, or json with --json)').choices(FORMATS))
    .option(
      '--base <url>',
      'where the archive is served: links lead there',
      parseBase,
      'http://127.0.0.1:8470',
    )
    .option('--output <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      `
Examples:
  daguerre digest https://news.example/ --from 7d
  daguerre digest https://news.example/ --from 7d --format html --output week.html
  daguerre digest news.example --from 2026-03-01 --to 2026-03-07 --json
  daguerre digest https://news.example/ --format atom`,
    )
    .action(digest);
}

async function digest(given: string, flags: DigestFlags): Promise<void> {
  const { json, from, to, base, output, format = json ? 'json' : 'text', ...location } = flags;
  const address = webAddress(given);
  if (!address) throw new UserError(`'${given}' is no address of a page; write e.g. https://example.org/`);
  const now = Date.now();
  const end = to === undefined ? now : parseMoment(to, now, 'end');
  const start = from === undefined ? end - WEEK : parseMoment(from, now, 'start');
  if (start > end) throw new UserError('the span ends before it begins: --from must lie before --to');
  const { pageDigest } = await import('../../access/digest/page-digest.ts');
  const { digestAtom, digestHtml, replayAddressAt } = await import('../../access/digest/digest-pages.ts');
  const { digestText } = await import('../../access/digest/digest-text.ts');
  const archive = await openForReading(location);
  try {
    const found = await pageDigest(archive, { url: address.url, from: start, to: end });
    if (!found)
      throw new UserError(`${address.url} is not in the archive: 'daguerre why ${address.url}' says why`);
    if (found.versions === 0)
      process.stderr.write(
        found.unread > 0
          ? `Nothing of it was looked at (${plural(found.unread, 'capture')}): 'daguerre analyse --url ${found.url}' does that.\n`
          : 'There is no capture of it in this span.\n',
      );
    const replay = replayAddressAt(base);
    const span = `from=${new Date(start).toISOString()}&to=${new Date(end).toISOString()}`;
    const self = `${base}/digest/${found.url}?${span}&format=atom`;
    const written = {
      text: () => digestText(found),
      html: () => digestHtml(found, replay),
      json: () => `${JSON.stringify(found)}\n`,
      atom: () => digestAtom(found, self, replay),
    };
    await writeOutput(written[format](), output);
  } finally {
    await archive.close();
  }
}

function parseBase(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('write a URL, such as http://127.0.0.1:8470');
}
