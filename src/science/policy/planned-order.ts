/**
 * An order planned before the crawl began, over pages known from an earlier capture: the organ pipe
 * (`sharc-offline`), by hour where the rhythm of the site is known, or the first half of a capture that is to be sharp. Its ranks
 * are the slots of the plan.
 *
 * A page that the plan does not know goes where a known page of its rate would: in the later half of a pipe, since
 * it is found when the crawl has already begun.
 */
import { organPipeSlot, sharcOffline } from '../sharpness/organ-pipe.ts';
import { sharcOfflineByHour, sharcRevisitsByHour } from '../sharpness/organ-pipe-by-hour.ts';
import { orderByRate } from '../sharpness/rate-order.ts';
import type { ExpectedChanges, Schedule, SiteToCapture } from '../sharpness/schedule.ts';
import { agreeingPlan } from './agreeing-plan.ts';
import { AGREE_UP_TO, type AgreeingPages } from './agreeing-slots.ts';
import { sharpPlan } from './sharp-plan.ts';
import { perDay, SHARC_OFFLINE, type SiteOrder } from './site-order.ts';

export interface PlannedPage {
  readonly url: string;
  /** Changes per second. */
  readonly rate: number;
}

export interface PlannedOrder extends SiteOrder {
  readonly pages: number;
}

/** What the plan is for: least blur of one visit, of the same order twice, most sharp pages, or most sharp pages that also agree. */
export type PlanPurpose = 'least-blur' | 'least-blur-twice' | 'most-sharp' | 'most-agreeing';

/** Largest number of pages for which a pipe is planned by hour, which takes a small multiple of n². */
export const BY_HOUR_UP_TO = 10_000;

export function plannedOrder(
  pages: readonly PlannedPage[],
  purpose: PlanPurpose,
  /** Seconds between two requests. */
  delay: number,
  /** Expected changes of the pages from the start of the capture, by hour; steady unless given. */
  changes?: ExpectedChanges,
  /** Pages that must agree, by their indices. */
  pairs: AgreeingPages['pairs'] = [],
): PlannedOrder {
  const rates = Float64Array.from(pages, ({ rate }) => rate);
  const { name, visits } = scheduleFor(purpose, { rates, delay }, changes, pairs);
  const slots = new Map(pages.map(({ url }, page) => [url, Math.round((visits[page] as number) / delay)]));
  const byRate = orderByRate(rates);

  /** Slot for a page of this rate that the plan does not know. */
  function slotFor(rate: number): number {
    let low = 0;
    let high = byRate.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rates[byRate[middle] as number] as number) < rate) low = middle + 1;
      else high = middle;
    }
    const neighbour = Math.min(low, byRate.length - 1);
    if (neighbour < 0) return 0;
    if (purpose !== 'most-sharp' && purpose !== 'most-agreeing')
      return lateOrganPipeSlot(neighbour, pages.length);
    return Math.round((visits[byRate[neighbour] as number] as number) / delay);
  }

  return {
    name,
    pages: pages.length,
    // Half a slot after the page it is placed next to.
    rank: ({ url, rate }) => slots.get(url) ?? slotFor(rate) + 0.5,
    reason: ({ url, rate }) => {
      const known = slots.get(url);
      const where = known === undefined ? `new, beside slot ${slotFor(rate) + 1}` : `slot ${known + 1}`;
      return `${name}: rate ${perDay(rate)}, ${where} of ${pages.length}`;
    },
  };
}

/** Slot in the later half: a rank whose slot is in the first half takes its neighbour's. */
const lateOrganPipeSlot = (rank: number, size: number): number =>
  organPipeSlot(rank % 2 === 0 && rank + 1 < size ? rank + 1 : rank, size);

/** A schedule with the name of what made it. */
export interface NamedSchedule extends Schedule {
  readonly name: string;
}

function scheduleFor(
  purpose: PlanPurpose,
  site: SiteToCapture,
  changes: ExpectedChanges | undefined,
  pairs: AgreeingPages['pairs'],
): NamedSchedule {
  if (purpose === 'most-agreeing' && pairs.length > 0 && site.rates.length <= AGREE_UP_TO)
    return agreeingPlan(site, pairs, changes);
  if (purpose === 'most-sharp' || purpose === 'most-agreeing') return sharpPlan(site, changes);
  if (!changes || site.rates.length > BY_HOUR_UP_TO) return { name: SHARC_OFFLINE, ...sharcOffline(site) };
  const byHour = purpose === 'least-blur' ? sharcOfflineByHour : sharcRevisitsByHour;
  return { name: `${SHARC_OFFLINE} by hour`, ...byHour(site, changes) };
}

/** Each host by its own plan; pages of other hosts in the order in which they are found. */
export function plannedByHost(plans: ReadonlyMap<string, PlannedOrder>, others: PlannedOrder): SiteOrder {
  const planOf = (url: string): PlannedOrder =>
    plans.get(URL.canParse(url) ? new URL(url).host : '') ?? others;
  const [first = others] = plans.values();
  return {
    name: first.name,
    rank: (candidate) => planOf(candidate.url).rank(candidate),
    reason: (candidate) => planOf(candidate.url).reason(candidate),
  };
}
