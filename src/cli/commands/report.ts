import { type Command, Option } from 'commander';
import { parseCount } from '../arguments.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

const REPORT_FORMATS = ['text', 'json', 'html'] as const;

interface ReportFlags extends CommonOptions {
  readonly crawl?: number;
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly out?: string;
}

export function reportCommand(program: Command): void {
  archiveOptions(
    program
      .command('report')
      .argument('<site>', 'host of the site, or any URL of it')
      .summary('how good the last capture of a site is: sharpness, coverage, errors, storage')
      .description(
        'The quality report of a site capture: when each page was visited and revisited, the moment at which the ' +
          'most of them are proven to have been as archived, blur beside what breadth-first would have given, and ' +
          'what is missing. --format html writes one page to print or to mail.',
      ),
  )
    .option('--crawl <id>', 'another crawl than the last one of the site', parseCount)
    .addOption(new Option('--format <format>', 'what to write').choices(REPORT_FORMATS).default('text'))
    .option('--out <file>', 'where to; stdout otherwise')
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre report example.org\n  daguerre report example.org --format html --out report.html\n  daguerre report example.org --crawl 3 --json',
    )
    .action(report);
}

async function report(site: string, { crawl, format, out, json, ...location }: ReportFlags): Promise<void> {
  const [{ siteReport }, { reportPage }, { reportText }] = await Promise.all([
    import('../../archive/site-report.ts'),
    import('../../access/sharpness-report/report-page.ts'),
    import('../../access/sharpness-report/report-text.ts'),
  ]);
  const { quality, keyFingerprint } = await siteReport(location, site, crawl);
  const written = {
    text: () => reportText(quality),
    json: () => `${JSON.stringify({ ...quality, keyFingerprint })}
`,
    html: () => reportPage(quality, keyFingerprint),
  }[json ? 'json' : format]();
  await writeOutput(written, out);
}
