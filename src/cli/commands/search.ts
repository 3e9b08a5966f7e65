import { type Command, Option } from 'commander';
import { openForReading } from '../../archive/open/open-archive.ts';
import { openSearch, type SearchHit } from '../../archive/search/search-archive.ts';
import { PASSAGE_KINDS, type PassageKind } from '../../model/passage.ts';
import type { Millis } from '../../model/time.ts';
import { SEARCH_EVENTS, type SearchEvent } from '../../ports/search-index.ts';
import { parseCount } from '../arguments.ts';
import { plural } from '../quantity-text.ts';
import { statusLine } from '../status-line.ts';
import { cutToColumns, harmless } from '../terminal-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite, periodOptions } from './page-options.ts';

interface SearchFlags extends CommonOptions {
  readonly site?: string;
  readonly url?: string;
  readonly since?: Millis;
  readonly until?: Millis;
  readonly kind?: PassageKind;
  readonly event: SearchEvent;
  readonly limit: number;
  /** `--no-update`. */
  readonly update: boolean;
}

const SHOWN = 20;

export function searchCommand(program: Command): void {
  periodOptions(
    archiveOptions(
      program
        .command('search')
        .argument('<words>', 'all of them; "a phrase", -without, begin*')
        .summary('where and when the archived pages said something')
        .description(
          'Finds words in what the archived pages showed to a reader, headlines first, with when the words came and when ' +
            'they went. Case, accents and endings (German, English, Spanish, French) do not count. Pages are found by their ' +
            "layouts: 'daguerre analyse' makes those of captures that have none.",
        ),
    )
      .option('--site <site>', 'only on this site, such as example.org', parseSite)
      .option('--url <url>', 'only on this page'),
  )
    .addOption(new Option('--kind <kind>', 'only in such a place of the page').choices(PASSAGE_KINDS))
    .addOption(
      new Option(
        '--event <event>',
        'what happened between --since and --until: it was there, it came, it went',
      )
        .choices(SEARCH_EVENTS)
        .default('present'),
    )
    .option('--limit <number>', 'at most so many', parseCount, SHOWN)
    .option('--no-update', 'ask the index as it is, though the archive has newer captures')
    .addHelpText(
      'after',
      `
Examples:
  daguerre search 'delivery fee'
  daguerre search '"general terms" -draft' --site example.org --since 2026-01-01
  daguerre search 'strike*' --kind headline --event appeared --since 7d
  daguerre search 'guarantee' --event vanished --json`,
    )
    .action(search);
}

async function search(text: string, flags: SearchFlags): Promise<void> {
  const { json, site, url, kind, event, since, until, limit } = flags;
  const archive = await openForReading(flags);
  try {
    const searched = await openSearch(archive, flags);
    try {
      if (flags.update && (await searched.isBehind())) {
        const line = statusLine(process.stderr);
        await searched
          .update({
            onPage: (page, done) =>
              line.show((columns) => cutToColumns(`indexing page ${done}: ${page}`, columns)),
          })
          .finally(() => line.end());
      }
      const hits = await searched.find({
        ...{ text, site, url, event, limit },
        kinds: kind && [kind],
        from: since,
        to: until,
      });
      for (const hit of hits) await writeOutput(json ? `${JSON.stringify(hit)}\n` : hitText(hit), undefined);
      if (json) return;
      if (hits.length > 0) return;
      await writeOutput('Nothing was found.\n', undefined);
      const unsearched = await searched.unsearched();
      if (unsearched.unseen > 0)
        process.stderr.write(
          `${plural(unsearched.unseen, 'page')} without a layout cannot be found: 'daguerre analyse' makes layouts.\n`,
        );
      if (unsearched.private > 0)
        process.stderr.write(
          `Private captures are not searched: ${plural(unsearched.private, 'page')} with them.\n`,
        );
    } finally {
      await searched.close();
    }
  } finally {
    await archive.close();
  }
}

/** Characters of a passage: before its first match, and in all. */
const AROUND = { before: 60, all: 240 } as const;

function hitText({ url, kind, text, marks, cameAt, lastAt, goneAt }: SearchHit): string {
  const first = marks[0]?.[0] ?? 0;
  const from = Math.max(0, first - AROUND.before);
  const part = `${from > 0 ? '…' : ''}${text.slice(from, from + AROUND.all)}${text.length > from + AROUND.all ? '…' : ''}`;
  const day = (at: Millis): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const when =
    goneAt === undefined
      ? `from ${day(cameAt)}, last seen ${day(lastAt)}`
      : `${day(cameAt)} to ${day(lastAt)}, gone ${day(goneAt)}`;
  return `${harmless(part.replaceAll(/\s+/g, ' '))}\n  ${kind} of ${harmless(url)}\n  ${when} UTC\n\n`;
}
