import type { NewFrontierEntry } from '../model/crawl.ts';
import type { RevisitMode } from '../model/site-capture.ts';
import type { Millis } from '../model/time.ts';
import type { AnsweredVisit, HistoryCatalog } from '../ports/catalog.ts';
import { revisitOrder } from '../science/policy/revisit-order.ts';
import { perDay } from '../science/policy/site-order.ts';

/** Milliseconds between two requests where nothing was measured. */
const SHORTEST_PACE = 1;

/**
 * Stage: the pages of a host that were visited once → their revisits, as frontier entries whose rank is their slot.
 * Pages that are found after that are planned on their own, behind the others.
 */
export async function planRevisits(
  crawlId: number,
  host: string,
  purpose: Exclude<RevisitMode, 'none'>,
  now: Millis,
  catalog: HistoryCatalog,
): Promise<readonly NewFrontierEntry[]> {
  const visits = await catalog.unplannedRevisits(crawlId, host);
  const pages = visits.map(({ at, rate }) => ({ visit: at / 1000, rate }));
  const order = revisitOrder(pages, purpose, { start: now / 1000, delay: paceOf(visits) / 1000 });
  return order.map((page, slot) => entryOf(visits[page] as AnsweredVisit, purpose, slot, order.length));
}

/** Milliseconds from one request to the next, as the first pass went: the median, since some pauses are long. */
function paceOf(visits: readonly AnsweredVisit[]): number {
  const times = visits.map(({ at }) => at).sort((a, b) => a - b);
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
  gaps.sort((a, b) => a - b);
  return Math.max(SHORTEST_PACE, gaps[Math.floor(gaps.length / 2)] ?? 0);
}

function entryOf(
  { url, host, depth, isSeed, via, rate }: AnsweredVisit,
  purpose: string,
  slot: number,
  slots: number,
): NewFrontierEntry {
  return {
    kind: 'revisit',
    url,
    host,
    depth,
    extraHops: 0,
    redirects: 0,
    rank: slot,
    rate,
    reason: `revisit for ${purpose}: rate ${perDay(rate)}, slot ${slot + 1} of ${slots}`,
    isSeed,
    ...(via !== undefined && { via }),
  };
}
