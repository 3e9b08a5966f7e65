import type { NewFrontierEntry } from '../model/crawl.ts';
import type { RevisitMode } from '../model/site-capture.ts';
import type { Millis } from '../model/time.ts';
import type { AnsweredVisit, HistoryCatalog } from '../ports/catalog.ts';
import { hourlyChanges, isRhythmKnown } from '../science/policy/hourly-changes.ts';
import { type RevisitPace, revisitOrder } from '../science/policy/revisit-order.ts';
import { perDay } from '../science/policy/site-order.ts';
import { pairsOf } from '../science/sharpness/find-groups.ts';
import type { ExpectedChanges } from '../science/sharpness/schedule.ts';
import type { SiteRhythm } from './site-rhythm.ts';
import { groupsOf, type PageGroupsPorts } from './stored/page-groups.ts';

export interface PlanRevisitsPorts {
  readonly catalog: HistoryCatalog & PageGroupsPorts['catalog'];
  readonly reader: PageGroupsPorts['reader'];
  readonly pageReader: PageGroupsPorts['pageReader'];
  /** When pages change; if absent, equally likely at any hour. */
  readonly rhythm?: SiteRhythm;
}

/** Seconds: a shorter capture is over before the hour is. */
const SHORTEST_BY_HOUR = 3_600;
/** Milliseconds between two requests if nothing was measured. */
const SHORTEST_PACE = 1;

/**
 * Stage: the pages of a host that were visited once → their revisits, as frontier entries whose rank is their slot.
 * Pages found after that are planned separately, behind the others.
 */
export async function planRevisits(
  crawlId: number,
  host: string,
  purpose: Exclude<RevisitMode, 'none'>,
  now: Millis,
  ports: PlanRevisitsPorts,
): Promise<readonly NewFrontierEntry[]> {
  const visits = await ports.catalog.unplannedRevisits(crawlId, host);
  const pages = visits.map(({ at, rate }) => ({ visit: at / 1000, rate }));
  const pace = { start: now / 1000, delay: paceOf(visits) / 1000 };
  const changes = purpose === 'blur' ? undefined : changesOf(visits, pace, ports.rhythm);
  const pairs = purpose === 'agree' ? await pairsOfVisits(visits, ports) : [];
  const { order, name } = revisitOrder(pages, purpose, pace, { changes, pairs });
  const decided = `revisit for ${purpose}, by ${name}`;
  return order.map((page, slot) => entryOf(visits[page] as AnsweredVisit, decided, slot, order.length));
}

async function pairsOfVisits(visits: readonly AnsweredVisit[], ports: PlanRevisitsPorts) {
  const first = visits.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return pairsOf(await groupsOf(visits, first, ports), new Map(visits.map(({ url }, index) => [url, index])));
}

/** By the hours at which the pages change, if known; from the first visit on. */
function changesOf(
  visits: readonly AnsweredVisit[],
  { start, delay }: RevisitPace,
  rhythm: SiteRhythm | undefined,
): ExpectedChanges | undefined {
  const pages = visits.map(({ url, rate }) => ({ rate, rhythm: rhythm?.of(url) }));
  const first = visits.reduce((least, { at }) => Math.min(least, at / 1000), start);
  const end = start + visits.length * delay;
  return end - first >= SHORTEST_BY_HOUR && isRhythmKnown(pages)
    ? hourlyChanges(pages, first, end)
    : undefined;
}

/** Milliseconds from one request to the next in the first pass: the median, since some pauses are long. */
function paceOf(visits: readonly AnsweredVisit[]): number {
  const times = visits.map(({ at }) => at).sort((a, b) => a - b);
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
  gaps.sort((a, b) => a - b);
  return Math.max(SHORTEST_PACE, gaps[Math.floor(gaps.length / 2)] ?? 0);
}

function entryOf(
  { url, host, depth, isSeed, via, rate }: AnsweredVisit,
  decided: string,
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
    reason: `${decided}: rate ${perDay(rate)}, slot ${slot + 1} of ${slots}`,
    isSeed,
    ...(via !== undefined && { via }),
  };
}
