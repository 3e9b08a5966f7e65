import type { Command } from 'commander';
import { type DescribedPage, parseDescribedPages, parseLinks } from '../../lab/data/page-tables.ts';
import type { GivenPage, GivenWeb } from '../../lab/perimeter/judge-web.ts';
import type { PageFacts } from '../../science/perimeter/page-facts.ts';
import { show } from './lab-options.ts';
import { readPages, type Skipping } from './page-files.ts';
import { type TableFlags, tableOptions } from './table-options.ts';

interface PerimeterFlags extends TableFlags {
  readonly pages: string;
  readonly links: string;
  readonly perimeter?: string;
  readonly name?: string;
  readonly fit: boolean;
}

export function perimeterCommand(lab: Command): void {
  tableOptions(
    lab
      .command('perimeter')
      .summary('which pages belong to a web that you describe')
      .description(
        'Judges pages, and URLs that only links name, by the criteria of a perimeter and by who links to them: verdict and ' +
          'chance of each with its reasons, how many belong, and precision and recall where the file holds the truth.',
      )
      .requiredOption('--pages <file>', 'pages that were read')
      .requiredOption('--links <file>', 'links between pages, and to others')
      .option(
        '--perimeter <file>',
        'configuration of perimeters (docs/perimeter.md); without one: the French web',
      )
      .option('--name <name>', 'which perimeter of the file')
      .option(
        '--fit',
        'fit weights to the truth in the file; each site is judged by what the others taught',
        false,
      ),
  )
    .addHelpText(
      'after',
      `
Tables are tab-separated, gzip or not, with or without a header row:
  pages   url, language, country, text, truth 0|1 (all but url may be empty; without a language, the text tells it)
  links   from, to

Examples:
  daguerre lab perimeter --pages pages.tsv --links links.tsv
  daguerre lab perimeter --pages pages.tsv.gz --links links.tsv.gz --perimeter perimeters.yaml --name city --fit --json`,
    )
    .action(runPerimeter);
}

async function runPerimeter(flags: PerimeterFlags): Promise<void> {
  const [{ perimeter }, { addressFacts, openLanguageIdentifier, readPerimeter }, { stream }] =
    await Promise.all([
      import('../../lab/perimeter/measure.ts'),
      import('../../archive/perimeter/index.ts'),
      import('../../lab/newspaper/random.ts'),
    ]);
  const definition = await readPerimeter(flags.perimeter, flags.name);
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const described = readPages(flags.pages, parseDescribedPages, skipping).pages;
  const links = readPages(flags.links, parseLinks, skipping).pages;
  const identifier = await openLanguageIdentifier();
  const page = (url: string, { language, country, text, truth }: DescribedPage): GivenPage => {
    const found = language === undefined ? identifier.identify(text ?? '') : { code: language, chance: 1 };
    return {
      facts: {
        ...(addressFacts(url) as PageFacts),
        ...(found && { language: found }),
        ...(country !== undefined && { country }),
        ...(text !== undefined && { text }),
      },
      ...(truth !== undefined && { truth }),
    };
  };
  const web: GivenWeb = {
    pages: new Map([...described].map(([url, [row]]) => [url, page(url, row as DescribedPage)])),
    links,
    suspectFacts: (url) => addressFacts(url) ?? { url, host: '', domain: url },
  };
  const { next } = stream(flags.seed, 'perimeter');
  const { skipped } = skipping;
  await show(perimeter, { web, definition, fit: flags.fit, random: next }, flags, { skipped });
}
