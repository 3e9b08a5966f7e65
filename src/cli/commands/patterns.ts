import { type Command, Option } from 'commander';
import { groupText, patternText } from '../../access/pattern-text.ts';
import { listPatterns } from '../../access/patterns.ts';
import { siteNamed } from '../../access/site-name.ts';
import { chosenPage } from '../../archive/given/chosen-page.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import type { CaptureCatalog, PageCatalog, PatternCatalog } from '../../ports/catalog.ts';
import { parseCount } from '../arguments.ts';
import { plural } from '../quantity-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

const PATTERN_FORMATS = ['text', 'json', 'svg'] as const;

interface PatternsFlags extends CommonOptions {
  readonly url?: string;
  readonly site?: string;
  readonly format: (typeof PATTERN_FORMATS)[number];
  readonly limit?: number;
  readonly out?: string;
}

export function patternsCommand(program: Command): void {
  archiveOptions(
    program
      .command('patterns')
      .summary('when the archived pages change: what was learnt of their rhythm')
      .description(
        'Shows the change pattern of each page, the liveliest first: how important a change is expected in each ' +
          'period of the day (or week, or month), how sure that is, and the threshold from which a version is ' +
          'indexed. Patterns are learnt at the end of each crawl, from pages that were seen more than once.',
      ),
  )
    .addOption(new Option('--url <url>', 'only of this page').conflicts('site'))
    .option('--site <site>', 'only of this site, such as example.org, with its groups', parseSite)
    .addOption(new Option('--format <format>', 'what to write').choices(PATTERN_FORMATS).default('text'))
    .option(
      '--limit <number>',
      'at most so many pages (default: 10; 12 in a drawing; all in JSON)',
      parseCount,
    )
    .option('--out <file>', 'where to; stdout otherwise')
    .addHelpText(
      'after',
      `
Examples:
  daguerre patterns
  daguerre patterns --url https://example.org/news/
  daguerre patterns --site example.org --format svg --out patterns.svg
  daguerre patterns --site example.org --json > patterns.jsonl`,
    )
    .action(patterns);
}

/** Pages listed for a person; and pages drawn one below the other. */
const SHOWN = 10;
const DRAWN = 12;

async function patterns(flags: PatternsFlags): Promise<void> {
  const { out } = flags;
  const format = flags.json ? 'json' : flags.format;
  const limit = flags.limit ?? { text: SHOWN, svg: DRAWN, json: undefined }[format];
  const archive = await openForReading(flags);
  try {
    const url = flags.url && (await chosenPage(flags.url, Date.now(), archive.catalog)).url;
    const site = flags.site && siteNamed(flags.site, archive.catalog.siteBounds());
    const query = { ...(url !== undefined && { url }), ...(site !== undefined && { site }) };
    const { pages, groups } = await listPatterns(archive.catalog, query, limit);
    if (pages.length === 0) {
      const why = await whyNothing(archive.catalog, query);
      process.stderr.write(`${why}\n`);
      // A file that is named is written all the same: one of an earlier run would pass for this one's.
      if (format === 'svg') {
        const { noPatternFigure } = await import('../pattern-figure.ts');
        await writeOutput(noPatternFigure(why), out);
      } else if (out !== undefined) await writeOutput('', out);
      return;
    }
    if (format === 'json') {
      await writeOutput(pages.map((page) => `${JSON.stringify(page)}\n`).join(''), out);
      return;
    }
    if (format === 'svg') {
      const { patternFigure } = await import('../pattern-figure.ts');
      await writeOutput(patternFigure(pages), out);
      return;
    }
    const texts = pages.map(patternText);
    if (url === undefined) texts.push(...groups.filter(({ pages: share }) => share > 1).map(groupText));
    await writeOutput(`${texts.join('\n\n')}\n`, out);
    if (flags.limit === undefined && pages.length === SHOWN)
      process.stderr.write(`the ${SHOWN} liveliest: --limit shows more, --url and --site choose\n`);
  } finally {
    await archive.close();
  }
}

/** How far the archive is from having learnt something. */
async function whyNothing(
  catalog: PageCatalog & PatternCatalog & CaptureCatalog,
  { url, site }: { readonly url?: string; readonly site?: string },
): Promise<string> {
  const needed = 'a pattern needs two visits to begin with, and some eight changes to be sure';
  if (url !== undefined) {
    const times = new Set((await catalog.versions({ url })).map(({ at }) => at));
    for await (const { at, method, status } of catalog.captures({ url })) {
      if (method === 'GET' && ((status >= 200 && status < 300) || status === 304)) times.add(at);
    }
    const seen =
      times.size === 0
        ? 'it was never seen'
        : times.size === 1
          ? 'it was seen once'
          : `it was seen ${times.size} times`;
    return `nothing is learnt of ${url} yet: ${seen}; ${needed}`;
  }
  const sites = await catalog.sites();
  const asked = site === undefined ? sites : sites.filter((one) => one.site === site);
  if (asked.length === 0) {
    return site === undefined
      ? "nothing is learnt yet: the archive holds no page; 'daguerre archive <url>' captures a site"
      : `nothing is learnt of ${site}: the archive holds no page of it`;
  }
  const pages = asked.reduce((sum, one) => sum + one.pages, 0);
  return (
    `nothing is learnt${site === undefined ? '' : ` of ${site}`} yet: none of ${plural(pages, 'page')} was seen twice; ${needed}. ` +
    'Archive the same pages again, at other times of the day.'
  );
}
