import { type Command, Option } from 'commander';
import { explainedText } from '../../access/importance/explained-text.ts';
import { rankingText } from '../../access/importance/importance-text.ts';
import { siteNamed } from '../../access/site-name.ts';
import { openDecisionBook } from '../../archive/decisions/decision-book.ts';
import { chosenPage } from '../../archive/given/chosen-page.ts';
import { explainPage } from '../../archive/importance/explain-page.ts';
import { readImportance } from '../../archive/importance/importance-settings.ts';
import { rankArchive } from '../../archive/importance/rank-archive.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import { parseCount } from '../arguments.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions, sameArchive } from './common-options.ts';
import { fitCommand } from './importance-fit.ts';
import { wordsCommand } from './importance-words.ts';
import { parseSite } from './page-options.ts';

interface ImportanceFlags extends CommonOptions {
  readonly site?: string;
  readonly explain?: string;
  readonly limit: number;
  readonly config?: string;
}

export function importanceCommand(program: Command): void {
  const command = archiveOptions(
    program
      .command('importance')
      .summary('which pages and sites of the archive matter most, and why')
      .description(
        'Ranks the pages that were read, and the sites by the sum of their pages. Importance comes from the links of all ' +
          'archived pages, kept up while crawls read them; words count where a configuration gives them weight. ' +
          '--explain tells each number. See docs/importance.md.',
      ),
  );
  command
    .addOption(new Option('--site <site>', 'only of this site, such as example.org').argParser(parseSite))
    .addOption(
      new Option('--explain <url>', 'what the importance of this page is made of').conflicts([
        'site',
        'limit',
      ]),
    )
    .option('--limit <number>', 'at most so many pages, and sites', parseCount, 20)
    .option('--config <file>', 'weights of the criteria: the key importance of a YAML file')
    .addHelpText(
      'after',
      `
Examples:
  daguerre importance
  daguerre importance --site example.org --limit 50
  daguerre importance --explain https://example.org/news/
  daguerre importance words && daguerre importance --config weights.yaml
  daguerre importance fit ranking.txt --second other.txt`,
    )
    .action(importance);
  wordsCommand(command);
  fitCommand(command);
}

async function importance(flags: ImportanceFlags): Promise<void> {
  const { weights } = await readImportance(flags.config);
  const archive = await openForReading(flags);
  try {
    const { catalog } = archive;
    const { held: decisions } = await openDecisionBook(archive);
    const now = Date.now();
    if ((await catalog.bookFigures()).read === 0)
      throw new UserError(
        "nothing is known of the importance of pages: 'daguerre archive <url>' captures some, and " +
          `'daguerre reindex${sameArchive(flags.archive)}' looks at what an earlier Daguerre captured`,
      );
    if (flags.explain !== undefined) {
      const { url } = await chosenPage(flags.explain, now, catalog);
      const page = await explainPage(catalog, url, { weights, decisions, now });
      await writeOutput(flags.json ? `${JSON.stringify(page)}\n` : explainedText(page), undefined);
      return;
    }
    const site = flags.site === undefined ? undefined : siteNamed(flags.site, catalog.siteBounds());
    const ranking = await rankArchive(catalog, {
      ...{ weights, decisions, now, limit: flags.limit },
      ...(site !== undefined && { site }),
    });
    if (ranking.pages.length === 0 && site !== undefined) throw new UserError(`no page of ${site} was read`);
    const lines = [
      ...ranking.pages.map((page) => ({ kind: 'page', ...page })),
      ...ranking.sites.map((one) => ({ kind: 'site', ...one })),
    ];
    await writeOutput(
      flags.json ? lines.map((line) => `${JSON.stringify(line)}\n`).join('') : rankingText(ranking),
      undefined,
    );
  } finally {
    await archive.close();
  }
}
