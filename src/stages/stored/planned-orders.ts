import type { Crawl, CrawlSpec, NewFrontierEntry } from '../../model/crawl.ts';
import type { PageGroup } from '../../model/page-group.ts';
import type { Millis } from '../../model/time.ts';
import { hourlyChanges, isRhythmKnown } from '../../science/policy/hourly-changes.ts';
import {
  type PlannedOrder,
  type PlanPurpose,
  plannedByHost,
  plannedOrder,
} from '../../science/policy/planned-order.ts';
import { SHARC_OFFLINE, type SiteOrder } from '../../science/policy/site-order.ts';
import { pairsOf } from '../../science/sharpness/find-groups.ts';
import type { SiteRhythm } from '../site-rhythm.ts';

/** Seconds: a shorter capture is over before the hour is, and one rate per page says everything. */
const SHORTEST_BY_HOUR = 3_600;

/** What an order is planned from, besides the pages. */
export interface PlanGround {
  readonly rhythm: SiteRhythm;
  /** Milliseconds from one request to the next, by host. */
  readonly paces: ReadonlyMap<string, number>;
  /** Pages that must agree. */
  readonly groups?: readonly PageGroup[];
}

/**
 * The order planned over known pages, host by host; undefined if a plan gains nothing: the default order plays the same organ pipe
 * slot by slot, unless hours matter.
 */
export function plannedOrders(
  entries: readonly NewFrontierEntry[],
  spec: Pick<CrawlSpec, 'order' | 'revisit' | 'politeness'>,
  now: Millis,
  ground: PlanGround,
): SiteOrder | undefined {
  const purpose = purposeOf(spec);
  // The paper's rule does not consider hours.
  const isOfPaper = spec.order === SHARC_OFFLINE;
  const plans = new Map<string, PlannedOrder>();
  let byHour = false;
  for (const host of new Set(entries.map((entry) => entry.host))) {
    const pages = entries
      .filter((entry) => entry.host === host)
      .map(({ url, rate = 0 }) => ({ url, rate, rhythm: ground.rhythm.of(url) }));
    const delay = Math.max(1, spec.politeness.delay, ground.paces.get(host) ?? 0) / 1000;
    const isLong = pages.length * delay >= SHORTEST_BY_HOUR;
    const hours = !isOfPaper && isLong && isRhythmKnown(pages);
    byHour ||= hours;
    const start = now / 1000;
    const changes = hours ? hourlyChanges(pages, start, start + 2 * pages.length * delay) : undefined;
    const numbers = new Map(pages.map(({ url }, index) => [url, index]));
    plans.set(host, plannedOrder(pages, purpose, delay, changes, pairsOf(ground.groups ?? [], numbers)));
  }
  if (!byHour && !isOfPaper && purpose.startsWith('least-')) return undefined;
  return plannedByHost(plans, plannedOrder([], purpose, 1));
}

function purposeOf({ order, revisit }: Pick<CrawlSpec, 'order' | 'revisit'>): PlanPurpose {
  if (order === SHARC_OFFLINE || revisit === undefined || revisit === 'none') return 'least-blur';
  if (revisit === 'agree') return 'most-agreeing';
  return revisit === 'sharp' ? 'most-sharp' : 'least-blur-twice';
}

/** The pace of a crawl at a host where it captured this many pages, within the bounds of its pauses; undefined if it did not end. */
export function paceOf(
  { startedAt, finishedAt, spec }: Pick<Crawl, 'startedAt' | 'finishedAt' | 'spec'>,
  pages: number,
): number | undefined {
  if (finishedAt === undefined || pages === 0) return undefined;
  const visits = (spec.revisit ?? 'none') === 'none' ? pages : 2 * pages;
  // A crawl that was stopped for days in between was no slower for that.
  return Math.min((finishedAt - startedAt) / visits, spec.politeness.maxDelay);
}
