/**
 * An order that was planned before the crawl began, over pages known from an earlier capture: the organ pipe
 * (`sharc-offline`), or the first half of a capture that is to be sharp. Its ranks are the slots of the plan.
 *
 * A page that the plan does not know comes where a known page of its rate would: in the later half of a pipe, since
 * it is found when the crawl has begun.
 */
import { organPipeSlot, sharcOffline } from '../sharpness/organ-pipe.ts';
import { orderByRate } from '../sharpness/rate-order.ts';
import type { SiteToCapture } from '../sharpness/schedule.ts';
import { sharcThreshold } from '../sharpness/sharc-threshold.ts';
import { sharpAndClear } from '../sharpness/sharp-and-clear.ts';
import { sharpAssignment } from '../sharpness/sharp-assignment.ts';
import { perDay, SHARC_OFFLINE, type SiteOrder } from './site-order.ts';

export interface PlannedPage {
  readonly url: string;
  /** Changes per second. */
  readonly rate: number;
}

export interface PlannedOrder extends SiteOrder {
  readonly pages: number;
}

/** Beyond this `sharp-and-clear`, which compares pairs, takes longer than a crawl can wait. */
const CLEAR_UP_TO = 5_000;
/** Beyond this the assignment does too; nested intervals by threshold cost no more than sorting. */
const ASSIGN_UP_TO = 20_000;

export function plannedOrder(
  pages: readonly PlannedPage[],
  purpose: 'least-blur' | 'most-sharp',
  /** Seconds between two requests. */
  delay: number,
): PlannedOrder {
  const name = purpose === 'least-blur' ? SHARC_OFFLINE : 'sharp';
  const rates = Float64Array.from(pages, ({ rate }) => rate);
  const { visits } = scheduleFor(purpose, { rates, delay });
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
    if (purpose === 'least-blur') return lateOrganPipeSlot(neighbour, pages.length);
    return Math.round((visits[byRate[neighbour] as number] as number) / delay);
  }

  return {
    name,
    pages: pages.length,
    // Half a slot later than the page it comes beside.
    rank: ({ url, rate }) => slots.get(url) ?? slotFor(rate) + 0.5,
    reason: ({ url, rate }) => {
      const known = slots.get(url);
      const where = known === undefined ? `new, beside slot ${slotFor(rate) + 1}` : `slot ${known + 1}`;
      return `${name}: rate ${perDay(rate)}, ${where} of ${pages.length}`;
    },
  };
}

/** Slot in the later half: of a rank that stands in the first half, that of its neighbour. */
const lateOrganPipeSlot = (rank: number, size: number): number =>
  organPipeSlot(rank % 2 === 0 && rank + 1 < size ? rank + 1 : rank, size);

function scheduleFor(purpose: 'least-blur' | 'most-sharp', site: SiteToCapture) {
  if (purpose === 'least-blur') return sharcOffline(site);
  if (site.rates.length <= CLEAR_UP_TO) return sharpAndClear(site);
  return site.rates.length <= ASSIGN_UP_TO ? sharpAssignment(site) : sharcThreshold(site);
}
