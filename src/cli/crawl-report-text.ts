import { groupWords, sharpnessWords } from '../access/sharpness-report/sharpness-words.ts';
import type { CrawlReport } from '../archive/crawl/crawl-report.ts';
import type { PageCounts, SiteTally } from '../model/crawl.ts';
import { FAULTS, type FaultKind, SKIPS, type SkipReason } from '../model/fault.ts';
import type { InferenceReason } from '../model/inference.ts';
import { INFERENCE_WORDS } from '../science/evolution/skip-words.ts';
import { formatDuration, formatSize, plural } from './quantity-text.ts';

/** Failures shown to a person. */
const FAILURES_SHOWN = 5;
/** Sites shown to a person. */
const SITES_SHOWN = 20;

const pagesOf = ({ captured, unchanged, dropped = 0, redirects, gone, failed }: PageCounts): number =>
  captured + unchanged + dropped + redirects + gone + failed;

/** `more` completes the commands that are suggested. */
export function reportText(report: CrawlReport, more = ''): string {
  const { unchanged, redirects, dropped = 0, gone, failed, skipped, pending, resources } = report;
  const pages = pagesOf(report);
  const seconds = report.duration / 1000;
  const rate = seconds > 0 ? ` (${(pages / seconds).toFixed(1)} a second)` : '';
  const line = (name: string, count: number, words = ''): string =>
    `  ${name.padEnd(11)}${count}${words && `  ${words}`}`;
  const embedded = resources.captured + resources.unchanged + resources.failed;
  const lines = [
    `${report.state === 'finished' ? 'Finished' : 'Stopped'}: ${plural(pages, 'page')} in ${formatDuration(report.duration)}${rate}, ${formatSize(report.bytes)} received`,
    line('new', report.new),
    line('changed', report.changed),
    line('unchanged', unchanged),
    ...(redirects > 0 ? [line('redirects', redirects, 'lead to another address')] : []),
    ...(dropped > 0 ? [line('dropped', dropped, 'changed less than their thresholds; kept as facts')] : []),
    ...(gone > 0 ? [line('gone', gone, 'were archived before; the server no longer has them')] : []),
    ...report.goneUrls.slice(0, FAILURES_SHOWN).map((url) => `             ${url}`),
    line('failed', failed),
    ...why(report.failures, (kind: FaultKind) => FAULTS[kind].means),
    ...report.failedUrls
      .slice(0, FAILURES_SHOWN)
      .map(
        ({ url, kind, detail }) =>
          `             ! ${kind}: ${detail.includes(url) ? detail : `${url} ${detail}`}`,
      ),
    ...restText(report, more),
    ...impairedText(report.impaired),
    ...inferredText(report),
    ...perimeterText(report.perimeter),
    ...(pending > 0 ? [line('left', pending, 'run the same command to go on')] : []),
    ...sitesText(report.sites),
  ];
  if (embedded > 0) {
    lines.push(
      `Resources fetched beside the pages: ${embedded} (${resources.captured} new or changed, ` +
        `${resources.unchanged} unchanged, ${resources.failed} failed)`,
    );
  }
  if (resources.lost)
    lines.push(
      `  ${resources.lost} of them a page had asked for in the browser in vain; asked for directly since`,
    );
  if (skipped > 0)
    lines.push(`Links not followed: ${skipped}`, ...why(report.skips, (reason: SkipReason) => SKIPS[reason]));
  lines.push(...report.notes.map((note) => `Note: ${note}`));
  const { revisits } = report;
  const revisited = revisits.captured + revisits.unchanged + revisits.failed > 0;
  if (report.sharp.pages > 0)
    lines.push(
      `Do the pages belong together in time? ${capitalised(sharpnessWords({ ...report, revisited }))}.`,
    );
  const agreeing = groupWords(report);
  if (agreeing !== undefined) lines.push(`  ${agreeing}.`);
  if (report.warcs.length > 0) lines.push(`Records: ${fileNames(report.warcs)}`);
  return lines.join('\n');
}

/** How to list the failures not named above, site by site. */
function restText({ failed, failedUrls, crawl, sites }: CrawlReport, more: string): string[] {
  const named = Math.min(FAILURES_SHOWN, failedUrls.length);
  const affected = sites.filter((site) => site.failed > 0);
  if (failed <= named) return [];
  const commands = affected
    .slice(0, FAILURES_SHOWN)
    .map(({ site }) => `             daguerre report ${site} --crawl ${crawl} --failed${more}`);
  const others = affected.length - commands.length;
  return [
    `             and ${failed - named} more; all of them:`,
    ...commands,
    ...(others > 0 ? [`             and so for ${others} more site${others === 1 ? '' : 's'}`] : []),
  ];
}

/** A row per site, if pages of several were visited. */
function sitesText(sites: readonly SiteTally[]): string[] {
  const visited = sites.filter((site) => pagesOf(site) + site.pending > 0);
  if (visited.length < 2) return [];
  const columns = ['new', 'changed', 'unchanged', 'redirects', 'gone', 'failed'] as const;
  const shown = visited.slice(0, SITES_SHOWN);
  const width = Math.max(4, ...shown.map(({ site }) => site.length));
  const row = (name: string, cells: readonly (string | number)[]): string =>
    `  ${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
  const more = visited.length - shown.length;
  return [
    'By site:',
    row('', columns),
    ...shown.map((site) =>
      row(
        site.site,
        columns.map((column) => site[column]),
      ),
    ),
    ...(more > 0 ? [`  and ${more} more; --json lists all`] : []),
  ];
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Pages left as archived; and how each part is known, if not all by visits. */
function inferredText({ inferred, virtual, coverage }: CrawlReport): string[] {
  if (!inferred) return [];
  const { pages, directories, expectedMissed, reasons, visitedAfterAll } = inferred;
  const places = plural(directories, 'directory', 'directories');
  return [
    ...(pages > 0
      ? [
          `  ${'inferred'.padEnd(11)}${pages}  not visited, taken for unchanged: ${places}, about ${expectedMissed.toFixed(1)} of them changed all the same`,
        ]
      : []),
    ...why(reasons, (reason: InferenceReason) => INFERENCE_WORDS[reason]),
    ...(visitedAfterAll > 0
      ? [`             ${visitedAfterAll} more visited after all: what their rule assumes did not come true`]
      : []),
    ...virtualText(virtual),
    `Known how: ${coverage.proven} proven by a visit, ${coverage.inferred} inferred, ${coverage.skipped} skipped` +
      (coverage.virtual === undefined ? '' : `, ${coverage.virtual} virtual`),
  ];
}

/** What the perimeter of the crawl did. */
export function perimeterText(perimeter: CrawlReport['perimeter']): string[] {
  if (!perimeter) return [];
  const { name, inside, outside, believed, suspects } = perimeter;
  return [
    `Perimeter ${name}: of ${plural(inside + outside, 'page')} read ${inside} belonged when they were read, ${outside} did not; known and not read: ` +
      `${plural(suspects, 'suspect')}, ${believed} of them believed to belong (daguerre perimeter suspects)`,
  ];
}

/** Nothing of these pages is stored here. */
const virtualText = (virtual: CrawlReport['virtual'] = {}): string[] =>
  Object.entries(virtual).map(
    ([archive, pages]) =>
      `  ${'virtual'.padEnd(11)}${pages}  not visited and not held here: their records are in the archive ${archive}`,
  );

/** Captured nevertheless: they are in the counts above. */
function impairedText(impaired: CrawlReport['impaired'] = {}): string[] {
  const pages = Object.values(impaired).reduce((sum, count) => sum + count, 0);
  if (pages === 0) return [];
  return [
    `  ${'impaired'.padEnd(11)}${pages}  captured, but not as they should have been`,
    ...why(impaired, (kind: FaultKind) => FAULTS[kind].means),
  ];
}

function why<K extends string>(
  counts: Readonly<Partial<Record<K, number>>>,
  means: (key: K) => string,
): string[] {
  return (Object.entries(counts) as [K, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `             ${count} ${key}: ${means(key)}`);
}

/** File names shown to a person; the JSON has all of them. An object store has many small files. */
const NAMED_FILES = 5;

function fileNames(files: readonly string[]): string {
  const named = files.slice(0, NAMED_FILES).join(', ');
  return files.length > NAMED_FILES ? `${named} and ${files.length - NAMED_FILES} more files` : named;
}
