import { type Command, Option } from 'commander';
import type { QualityReport } from '../../access/sharpness-report/quality-report.ts';
import { bytesText } from '../../access/sharpness-report/times.ts';
import { summaryText } from '../../access/stored-checks.ts';
import { parseCount } from '../arguments.ts';
import { perimeterText } from '../crawl-report-text.ts';
import { signatureText } from '../signature-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions, sameArchive } from './common-options.ts';

const REPORT_FORMATS = ['text', 'json', 'html'] as const;

interface ReportFlags extends CommonOptions {
  readonly crawl?: number;
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly failed: boolean;
  readonly out?: string;
}

/** One line each: reason, URL and what was tried, separated by tabs. */
const failedText = ({ errors }: QualityReport): string =>
  errors.urls.map(({ kind, url, detail }) => `${kind}\t${url}\t${detail.replace(/\s+/g, ' ')}\n`).join('');

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
    .option(
      '--failed',
      'every page that failed and nothing else, a line each: reason, URL, what was tried',
      false,
    )
    .option('--out <file>', 'where to; stdout otherwise')
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre report example.org\n  daguerre report example.org --format html --out report.html\n  daguerre report example.org --crawl 3 --json\n  daguerre report example.org --failed',
    )
    .action(report);
}

async function report(site: string, flags: ReportFlags): Promise<void> {
  const { crawl, format, failed, out, json, ...location } = flags;
  const [{ siteReport }, { reportPage }, { reportText }] = await Promise.all([
    import('../../archive/site-report.ts'),
    import('../../access/sharpness-report/report-page.ts'),
    import('../../access/sharpness-report/report-text.ts'),
  ]);
  const all = failed ? Number.MAX_SAFE_INTEGER : undefined;
  const { quality, keyFingerprint, imports, perimeter, mirror, check, files } = await siteReport(
    location,
    site,
    crawl,
    all,
  );
  const signatures = imports.flatMap(({ source, at, signature }) =>
    signature ? [`${signatureText(`import of ${source} at ${at}`, signature)}\n`] : [],
  );
  const mirrors = mirror === undefined ? [] : [`Mirror: ${quality.site} ${mirror}\n`];
  const replay = check === undefined ? [] : [`Replay: ${summaryText(check)} (daguerre check)\n`];
  const stored =
    `  on disk        ${bytesText(files.bytes)} in ${files.count} record file${files.count === 1 ? '' : 's'}, of all sites, with what was ` +
    'derived from pages: pictures, layouts, changes\n';
  const told = [
    stored,
    ...replay,
    ...mirrors,
    ...perimeterText(perimeter).map((line) => `${line}\n`),
    ...signatures,
  ];
  const written = {
    text: () =>
      failed ? failedText(quality) : `${reportText(quality, sameArchive(location.archive))}${told.join('')}`,
    json: () => `${JSON.stringify(failed ? quality.errors : { ...quality, keyFingerprint, imports, perimeter, mirror, check, files })}
`,
    html: () => reportPage(quality, keyFingerprint),
  }[json ? 'json' : failed ? 'text' : format]();
  await writeOutput(written, out);
}
