/**
 * The organ pipe for pages that change by the hour (ours): SHARC-offline and SHARC-revisits where each page has its
 * own daily rhythm.
 *
 * With constant rates the penalty of a page at a slot is a product, rate × ω(slot), and sorting both is optimal (SHARC
 * 2009, Theorem 4.5). With rates that vary over time it is no product: a page that sleeps at night may be fetched at any
 * time of the night at the same cost. Pages then have to be assigned to slots. Slots are combined into at most 64 groups of
 * neighbours, which makes it a small transportation problem (`fillGroups`); inside a group pages are ordered by their
 * rate, hotter towards the middle. Up to 64 pages the result is exact.
 *
 * Measured on real histories (docs/sharp-captures.md): blur of one visit 2% below that of the plain organ pipe, of
 * revisits 9 to 11% below for captures of up to two days, 1% for four. With one profile for the whole site nothing is
 * gained: it is the differences between pages that count.
 *
 * O(n·(64² + n)): for sites of up to a few tens of thousands of pages.
 */
import { blurOfVisit, blurOfVisits, type Moments, momentsOf } from './moments.ts';
import {
  checkSite,
  doubled,
  type ExpectedChanges,
  type RevisitSchedule,
  type Schedule,
  type SiteToCapture,
} from './schedule.ts';
import { fillGroups } from './slot-groups.ts';

const MOST_GROUPS = 64;
/** Steps of the integrals within the slots of one group. */
const FINENESS = 8;

export function sharcOfflineByHour(site: SiteToCapture, changes: ExpectedChanges): Schedule {
  checkSite(site);
  const size = site.rates.length;
  return { visits: organPipe(site, Math.max(0, size - 1), changes, blurOfVisit) };
}

/** The same order twice. */
export function sharcRevisitsByHour(site: SiteToCapture, changes: ExpectedChanges): RevisitSchedule {
  checkSite(site);
  const size = site.rates.length;
  const visits = organPipe(site, Math.max(0, 2 * size - 1), changes, (moments, visit, step) => {
    const revisit = visit + Math.round((size * site.delay) / step / 2) * 2;
    return blurOfVisits(moments, visit, Math.min(revisit, moments.length / 2 - 1), step);
  });
  return doubled({ visits }, site.delay);
}

/** @param length of the observation interval, in delays */
function organPipe(
  site: SiteToCapture,
  length: number,
  changes: ExpectedChanges,
  blurAt: (moments: Moments, visit: number, step: number) => number,
): Float64Array {
  const { rates, delay, weights } = site;
  const size = rates.length;
  const count = Math.min(size, MOST_GROUPS);
  const starts = Array.from({ length: count + 1 }, (_, g) => Math.round((g * size) / count));
  // Steps that hit every slot on small sites, and come close to the middle of every group on large ones.
  const perSlot = Math.max(2, Math.ceil((FINENESS * count) / Math.max(1, size)) * 2);
  const steps = size <= MOST_GROUPS ? length * perSlot : 2 * FINENESS * MOST_GROUPS;
  const step = (length * delay) / Math.max(1, steps);
  const centre = (g: number): number => ((starts[g] as number) + (starts[g + 1] as number) - 1) / 2;
  const places = starts.slice(0, count).map((_, g) => Math.round((centre(g) * delay) / (step || 1)));
  const costs = Array.from({ length: size }, (_, page) => {
    const moments = momentsOf((time) => changes(page, time), steps + 1, step);
    const weight = weights?.[page] ?? 1;
    return Float64Array.from(places, (place) => weight * blurAt(moments, place, step));
  });
  const room = places.map((_, g) => (starts[g + 1] as number) - (starts[g] as number));
  return slotsInGroups(fillGroups(costs, room), starts, rates, delay);
}

/** Inside a group, colder pages go to the nearer end of the capture. */
function slotsInGroups(
  groupOf: Int32Array,
  starts: readonly number[],
  rates: ArrayLike<number>,
  delay: number,
): Float64Array {
  const members: number[][] = starts.slice(1).map(() => []);
  for (const [page, group] of groupOf.entries()) (members[group] as number[]).push(page);
  const visits = new Float64Array(groupOf.length);
  for (const [g, pages] of members.entries()) {
    const up = g < members.length / 2 ? 1 : -1;
    pages.sort((a, b) => up * ((rates[a] as number) - (rates[b] as number)) || a - b);
    for (const [k, page] of pages.entries()) visits[page] = ((starts[g] as number) + k) * delay;
  }
  return visits;
}
