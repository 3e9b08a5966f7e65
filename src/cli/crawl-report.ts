import type { Crawl, CrawlTally, Visit } from '../model/crawl.ts';
import { FAULTS, type FaultKind, SKIPS, type SkipReason } from '../model/fault.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Sharpness } from '../stages/site-capture.ts';
import { formatDuration, formatSize } from './quantities.ts';

/** The end report; the fields that scripts rely on are named in docs/json.md. */
export interface CrawlReport extends CrawlTally, Sharpness {
  readonly crawl: number;
  readonly state: 'finished' | 'stopped';
  readonly startedAt: number;
  /** Milliseconds since the crawl began, pauses included. */
  readonly duration: number;
  readonly warcs: readonly string[];
  /** The first failures, with what was tried. */
  readonly failedUrls: readonly { readonly url: string; readonly kind: FaultKind; readonly detail: string }[];
}

/** Failures listed in the report; all of them are in the catalog. */
const FAILURES_LISTED = 20;

export async function crawlReport(
  catalog: Catalog,
  crawl: Crawl,
  state: 'finished' | 'stopped',
  tally: CrawlTally,
  sharpness: Sharpness,
  now: number,
): Promise<CrawlReport> {
  const files = await catalog.warcFiles();
  const failures = await catalog.visits({ crawlId: crawl.id, outcome: 'failed', limit: FAILURES_LISTED });
  return {
    ...tally,
    ...sharpness,
    crawl: crawl.id,
    state,
    startedAt: crawl.startedAt,
    duration: now - crawl.startedAt,
    warcs: files.filter(({ crawlId }) => crawlId === crawl.id).map(({ file }) => file),
    failedUrls: failures.flatMap(({ url, fault }: Visit) => (fault ? [{ url, ...fault }] : [])),
  };
}

export function reportText(report: CrawlReport): string {
  const { captured, unchanged, dropped = 0, failed, skipped, pending, resources, bytes } = report;
  const done = captured + unchanged + dropped + failed;
  const seconds = report.duration / 1000;
  const lines = [
    `${report.state === 'finished' ? 'Finished' : 'Stopped'}: ${done} pages in ${formatDuration(report.duration)}` +
      ` (${seconds > 0 ? (done / seconds).toFixed(1) : '∞'}/s), ${formatSize(bytes)} received`,
    `  captured   ${captured}`,
    `  unchanged  ${unchanged}`,
    ...(dropped > 0 ? [`  dropped    ${dropped}: changed less than their thresholds; kept as facts`] : []),
    `  failed     ${failed}`,
    ...why(report.failures, (kind: FaultKind) => FAULTS[kind].means),
    `  skipped    ${skipped}`,
    ...why(report.skips, (reason: SkipReason) => SKIPS[reason]),
  ];
  const embedded = resources.captured + resources.unchanged;
  if (embedded + resources.failed > 0) {
    lines.push(
      `  besides    ${embedded} embedded resources and sitemaps, ${resources.failed} of them failed`,
    );
  }
  const { sharp, blur, revisits } = report;
  lines.push(
    `  blur       ${Number(blur.toPrecision(3))} changes expected between what was asked for and what is kept`,
  );
  if (revisits.captured + revisits.unchanged + revisits.failed > 0) {
    lines.push(
      `  sharp      ${sharp.strict} of ${sharp.pages} pages proven the same at visit and revisit, ` +
        `${sharp.visible} to a reader's eye`,
    );
  }
  if (pending > 0) lines.push(`  left       ${pending}: run the same command to go on`);
  for (const { url, kind, detail } of report.failedUrls.slice(0, 5))
    lines.push(`  ! ${kind}: ${detail || url}`);
  if (report.warcs.length > 0) lines.push(`  records    ${report.warcs.join(', ')}`);
  return lines.join('\n');
}

function why<K extends string>(
  counts: Readonly<Partial<Record<K, number>>>,
  means: (key: K) => string,
): string[] {
  return (Object.entries(counts) as [K, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `             ${count} ${key}: ${means(key)}`);
}
