import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeText, listChanges } from '../../access/changes.ts';
import { siteNamed } from '../../access/site-name.ts';
import { chosenPage } from '../../archive/given/chosen-page.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../model/change.ts';
import type { ChangeQuery } from '../../ports/catalog.ts';
import { parseCount } from '../arguments.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite, periodOptions } from './page-options.ts';

interface ChangesFlags extends CommonOptions, Omit<ChangeQuery, 'offset' | 'operationLimit'> {}

function parseImportance(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError(`'${text}' is no importance; write a number from 0 to 1`);
  return value;
}

export function changesCommand(program: Command): void {
  periodOptions(
    archiveOptions(
      program
        .command('changes')
        .summary('what changed on the archived pages, ranked by importance')
        .description(
          'Lists the changes that were found between archived versions of pages, the most important first, with ' +
            'their weightiest operations. Pages have them once they were captured twice with a browser.',
        ),
    )
      .addOption(
        new Option('--url <url>', 'only of this page; <url>@<time> for one capture or a period').conflicts(
          'site',
        ),
      )
      .option('--site <site>', 'only of this site, such as example.org', parseSite),
  )
    .option('--min-importance <number>', 'only changes of at least this importance (0 to 1)', parseImportance)
    .addOption(new Option('--op <operation>', 'only with such an operation').choices(OPERATION_NAMES))
    .addOption(
      new Option('--element <element>', 'only with one on such an element').choices(CHANGED_ELEMENTS),
    )
    .option('--text <words>', 'only with one whose texts or addresses hold all these words')
    .addOption(
      new Option('--sort <order>', 'what comes first').choices(['importance', 'time']).default('importance'),
    )
    .option('--limit <number>', 'at most so many (default: 50; all with --json)', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre changes --since 7d
  daguerre changes --site example.org --min-importance 0.2 --op insert --element link
  daguerre changes --url https://example.org/prices --text 'delivery fee' --sort time
  daguerre changes --json > changes.jsonl`,
    )
    .action(changes);
}

/** Lines a person reads. */
const SHOWN = 50;
/** Operations of each change that the text names. */
const TOLD = 3;

async function changes(flags: ChangesFlags): Promise<void> {
  const { json, archive: _archive, database: _database, databaseWait: _wait, ...query } = flags;
  const archive = await openForReading(flags);
  try {
    let listed = 0;
    const limit = flags.limit ?? (json ? undefined : SHOWN);
    const page = flags.url === undefined ? {} : await chosenPage(flags.url, Date.now(), archive.catalog);
    const asked = {
      ...query,
      ...page,
      ...(flags.site !== undefined && { site: siteNamed(flags.site, archive.catalog.siteBounds()) }),
      ...(limit !== undefined && { limit }),
      ...(!json && { operationLimit: TOLD }),
    };
    for await (const change of listChanges(archive.catalog, asked)) {
      await writeOutput(`${json ? JSON.stringify(change) : changeText(change)}\n`, undefined);
      listed++;
    }
    if (listed === 0 && !json) process.stderr.write('no such change is in the archive\n');
    if (limit !== undefined && listed === limit && flags.limit === undefined)
      process.stderr.write(`the first ${limit}: --limit shows more, --since and --min-importance choose\n`);
  } finally {
    await archive.close();
  }
}
