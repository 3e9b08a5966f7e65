import { type Command, Option } from 'commander';
import type { ExportOptions, ExportReport } from '../../archive/export/export-archive.ts';
import { TABLE_FORMATS } from '../../archive/export/table-formats.ts';
import { TABLE_NAMES } from '../../archive/export/table-rows.ts';
import { momentArgument } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { formatSize, plural } from '../quantity-text.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

interface ExportFlags extends CommonOptions, ExportOptions {}

export function exportCommand(program: Command): void {
  archiveOptions(
    program
      .command('export')
      .summary('write the archive, or a part of it, as WACZ, its index as CDXJ, or the history of its sites')
      .description(
        'Writes the archive into one WACZ file that ReplayWeb.page opens, or its index as sorted CDXJ. With --site, ' +
          '--url-prefix, --from, --to or --collection only what these choose, with all that it needs to stand alone: ' +
          'what the pages embed, and the originals of unchanged captures. With --format site-delta the history of its ' +
          'sites as XML: pages by URL, and each access to them (docs/site-delta.md). With csv, ndjson or parquet a table ' +
          'of captures, changes, patterns or links, for other programs.',
      ),
  )
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['wacz', 'cdxj', 'site-delta', ...TABLE_FORMATS])
        .default('wacz'),
    )
    .addOption(
      new Option('--of <table>', 'rows of what, with csv, ndjson and parquet')
        .choices(TABLE_NAMES)
        .default('captures'),
    )
    .option(
      '--out <file>',
      'where to (default: archive.wacz, archive.cdxj, archive.site-delta.xml, captures.csv …)',
    )
    .option('--title <text>', 'title of the WACZ')
    .option('--site <site>', 'only this site, such as example.org', parseSite)
    .option('--url-prefix <url>', 'only addresses that begin so, such as example.org/blog/')
    .option(
      '--from <time>',
      'only from this time on: a day, a time (UTC), or how long ago (7d)',
      momentArgument('start'),
    )
    .option('--to <time>', 'only up to this time; 2026-03 includes all of March', momentArgument('end'))
    .option('--collection <name>', 'only what was archived under this name (archive --collection)')
    .option('--include-private', 'with captures that were made with a login or other supplied secrets', false)
    .addHelpText(
      'after',
      `
Examples:
  daguerre export --out site.wacz --title "Site, November"
  daguerre export --site example.org --from 2026-03 --to 2026-05 --out spring.wacz
  daguerre export --collection news --out news.wacz
  daguerre export --format cdxj --out index.cdxj
  daguerre export --format site-delta --site example.org --out history.xml
  daguerre export --format parquet --of changes --from 2026-01 --out changes.parquet`,
    )
    .action(writeExport);
}

async function writeExport(flags: ExportFlags): Promise<void> {
  const { exportArchive } = await import('../../archive/export/export-archive.ts');
  const report = await exportArchive(flags, flags);
  const { format: _format, ...rest } = report;
  process.stdout.write(flags.json ? `${JSON.stringify(rest)}\n` : `${reportText(report)}\n`);
  if (report.format === 'wacz' && report.capturesLeftOut + report.damaged.length > 0)
    process.exitCode = EXIT.partial;
}

function reportText(report: ExportReport): string {
  if (report.format === 'site-delta') return historyText(report);
  if ('of' in report) return `${plural(report.rows, 'row')} of ${report.of} written to ${report.out}`;
  const { out, captures } = report;
  const left = report.privateFiles ?? 0;
  const privacy =
    left > 0 ? [`${plural(left, 'record file')} with private captures left out: --include-private`] : [];
  if (report.format === 'cdxj')
    return [`${plural(captures, 'capture')} written to ${out}`, ...privacy].join('\n');
  const { pages, bytes, originals = 0, capturesLeftOut, converted } = report;
  return [
    `${plural(captures, 'capture')} of ${plural(pages, 'page version')}, ${formatSize(bytes)}, written to ${out}`,
    ...(capturesLeftOut > 0
      ? [
          `! ${plural(capturesLeftOut, 'capture')} left out, whose records cannot be read: 'daguerre verify' names them`,
        ]
      : []),
    ...damageText(report.damaged),
    ...privacy,
    ...(originals > 0
      ? [`${originals} of them are older originals, without which unchanged captures could not be shown`]
      : []),
    ...converted.map(
      ({ from, to, records, leftOut, mendedHeads }) =>
        `${from}: ${plural(records, 'record')} converted from ARC to WARC, as ${to}` +
        (leftOut > 0 ? `; ${plural(leftOut, 'damaged part')} left out` : '') +
        (mendedHeads > 0
          ? `; ${plural(mendedHeads, 'HTTP head')} given CRLF, without which viewers show nothing`
          : ''),
    ),
  ].join('\n');
}

function damageText([first, ...others]: (ExportReport & { format: 'wacz' })['damaged']): readonly string[] {
  if (!first) return [];
  return [
    `! ${plural(others.length + 1, 'record')} in it cannot be read, the first in ${first.file} at ${first.offset} ` +
      `(${first.reason}): 'daguerre verify' names them`,
  ];
}

function historyText({
  sites,
  pages,
  documents,
  bytes,
  out,
}: ExportReport & { format: 'site-delta' }): string {
  const of = `${plural(documents, 'document')} (visits, and times a page was left out) of ${plural(pages, 'page')} of ${plural(sites, 'site')}`;
  return `${of}, ${formatSize(bytes)}, written to ${out}`;
}
