import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeText, listChanges } from '../../access/changes.ts';
import { siteNamed } from '../../access/site-name.ts';
import { wallsMet, wallWords } from '../../access/walls-met.ts';
import { type ChosenPage, chosenPage } from '../../archive/given/chosen-page.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../model/change.ts';
import { comparisonBy } from '../../model/comparison.ts';
import type { AnalysisCatalog, ChangeQuery } from '../../ports/catalog.ts';
import { parseCount } from '../arguments.ts';
import { harmless } from '../terminal-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions, withoutLocation } from './common-options.ts';
import { parseSite, periodOptions } from './page-options.ts';

interface ChangesFlags extends CommonOptions, Omit<ChangeQuery, 'offset' | 'operationLimit'> {}

const parsed =
  (what: 'importance' | 'salience') =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= 0 && value <= 1))
      throw new InvalidArgumentError(`'${text}' is no ${what}; write a number from 0 to 1`);
    return value;
  };

export function changesCommand(program: Command): void {
  periodOptions(
    archiveOptions(
      program
        .command('changes')
        .summary('what changed on the archived pages, ranked by what a reader would want to be told')
        .description(
          'Lists the changes that were found between archived versions of pages, the most salient first, with why ' +
            'and with their first operations. Pages have them once they were captured twice with a browser.',
        ),
    )
      .addOption(
        new Option('--url <url>', 'only of this page; <url>@<time> for one capture or a period').conflicts(
          'site',
        ),
      )
      .option('--site <site>', 'only of this site, such as example.org', parseSite),
  )
    .option('--min-salience <number>', 'only changes of at least this salience (0 to 1)', parsed('salience'))
    .option(
      '--min-importance <number>',
      'only changes of at least this importance (0 to 1)',
      parsed('importance'),
    )
    .addOption(
      new Option('--by <number>', 'which number ranks changes and their operations')
        .choices(['salience', 'importance'])
        .default('salience'),
    )
    .addOption(new Option('--op <operation>', 'only with such an operation').choices(OPERATION_NAMES))
    .addOption(
      new Option('--element <element>', 'only with one on such an element').choices(CHANGED_ELEMENTS),
    )
    .option('--text <words>', 'only with one whose texts or addresses hold all these words')
    .addOption(
      new Option('--sort <order>', 'what comes first (default: as --by says)').choices([
        'salience',
        'importance',
        'time',
      ]),
    )
    .option('--limit <number>', 'at most so many (default: 50; all with --json)', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre changes --since 7d
  daguerre changes --site example.org --min-salience 0.5 --op insert --element link
  daguerre changes --url https://example.org/prices --text 'delivery fee' --sort time
  daguerre changes --json > changes.jsonl`,
    )
    .action(changes);
}

/** Lines shown to a person. */
const SHOWN = 50;
/** Operations of each change that are used in the text. */
const TOLD = 200;

async function changes(flags: ChangesFlags): Promise<void> {
  const { json } = flags;
  const query = withoutLocation(flags);
  const archive = await openForReading(flags);
  try {
    let listed = 0;
    const limit = flags.limit ?? (json ? undefined : SHOWN);
    const page: Partial<ChosenPage> =
      flags.url === undefined ? {} : await chosenPage(flags.url, Date.now(), archive.catalog);
    const asked = {
      ...query,
      ...page,
      ...(flags.site !== undefined && { site: siteNamed(flags.site, archive.catalog.siteBounds()) }),
      ...(limit !== undefined && { limit }),
      ...(!json && { operationLimit: TOLD }),
    };
    for await (const change of listChanges(archive.catalog, { ...asked, seen: true })) {
      await writeOutput(
        `${json ? JSON.stringify({ ...change, comparison: comparisonBy(change) }) : harmless(await changeText(change, archive, flags.by))}\n`,
        undefined,
      );
      listed++;
    }
    if (listed === 0 && !json) process.stderr.write(`${await whyNone(archive.catalog, page.url)}\n`);
    const walls = await wallsMet(archive.catalog, asked);
    if (json) for (const wall of walls) await writeOutput(`${JSON.stringify(wall)}\n`, undefined);
    else if (walls.length > 0)
      process.stderr.write(`${wallWords(walls)}. What the pages showed then is not known.\n`);
    if (limit !== undefined && listed === limit && flags.limit === undefined)
      process.stderr.write(`the first ${limit}: --limit shows more, --since and --min-salience choose\n`);
  } finally {
    await archive.close();
  }
}

/** Pages checked before concluding that none was analysed: an archive may hold millions. */
const LOOKED_AT = 1_000;

/** Without layouts, changes cannot be detected: explains how to get them. */
async function whyNone(catalog: AnalysisCatalog, url?: string): Promise<string> {
  let pages = 0;
  let twice = 0;
  for await (const { versions } of catalog.storedVersions(url === undefined ? {} : { url })) {
    if (versions.some(({ look }) => look?.layoutAt !== undefined)) return 'no such change is in the archive';
    if (versions.length > 0) pages++;
    if (versions.length > 1) twice++;
    if (pages >= LOOKED_AT) break;
  }
  const of = url === undefined ? '' : ` --url ${url}`;
  if (pages === 0) return 'no such change is in the archive';
  return twice === 0
    ? `no such change is in the archive: no page has two versions yet, and none was looked at as readers see it ('daguerre analyse${of}' does that, so that later versions can be compared)`
    : `no page was looked at as readers see it yet, so that no changes are known: 'daguerre analyse${of}' makes layouts and deltas from the captures`;
}
