/**
 * A site order decides which of the URLs known so far is fetched next. It is pure. Each candidate gets a rank when
 * it is discovered, and the frontier keeps waiting URLs sorted by rank. An order that is fully expressed in its ranks takes the
 * first each time; one that follows the course of the crawl sorts by change rate and has a rule that picks a place in
 * that list at each slot. So the order has no memory of its own: a crawl that was killed continues in the same order
 * from its frontier and its counts.
 */
import { adaptiveOrganPipe } from '../sharpness/adaptive-organ-pipe.ts';
import { sharcOnline } from '../sharpness/sharc-online.ts';
import {
  type CrawlCourse,
  coldest,
  hottest,
  type SlotChoice,
  type SlotRule,
} from '../sharpness/slot-rule.ts';

export interface OrderCandidate {
  readonly url: string;
  /** Links away from the seed. */
  readonly depth: number;
  /** How many pages of this crawl were discovered from before this one: grows with the crawl. */
  readonly batch: number;
  /** Place among the links of its page. */
  readonly index: number;
  /** Changes per second, known or predicted. */
  readonly rate: number;
}

export interface SiteOrder {
  readonly name: string;
  rank(candidate: OrderCandidate): number;
  /** Given when a candidate is discovered. */
  reason(candidate: OrderCandidate): string;
  /** Which of the waiting pages, sorted by rank, takes this slot; absent: always the first. */
  readonly choose?: SlotRule;
}

/** Links per page that keep their order; those beyond share the last place. 2^20. */
const PAGE_WIDTH = 1_048_576;
/** Pages per depth that keep their order: 2^53 / 2^20 leaves 2^33, split 2^13 depths × 2^20 batches. */
const BATCHES = 1_048_576;

const place = (index: number): number => Math.min(index, PAGE_WIDTH - 1) / PAGE_WIDTH;

export const breadthFirst: SiteOrder = {
  name: 'breadth-first',
  rank: ({ depth, batch, index }) => depth * BATCHES + Math.min(batch, BATCHES - 1) + place(index),
  reason: ({ depth }) => `breadth-first: depth ${depth}`,
};

export const depthFirst: SiteOrder = {
  name: 'depth-first',
  rank: ({ batch, index }) => -batch + place(index),
  reason: ({ depth, batch }) => `depth-first: depth ${depth}, found by page ${batch}`,
};

/** Sorted by change rate. */
const byRate = (name: string, choose: SlotRule): SiteOrder => ({
  name,
  rank: ({ rate }) => rate,
  // Stored for every link of every page: the numbers come with the slot.
  reason: () => `${name}: waits for its slot`,
  choose,
});

/** Why the page of this rate takes the slot: the part of the rule that decided, and the numbers to verify it. */
export function slotReason(
  { name }: SiteOrder,
  { place: chosen, part, size }: SlotChoice,
  { downloaded, waiting }: CrawlCourse,
  rate: number,
): string {
  return (
    `${name}: ${part === undefined ? '' : `${part}, `}${chosen + 1} of ${waiting} from the coldest, ` +
    `rate ${perDay(rate)}, slot ${downloaded + 1} of about ${Math.max(Math.round(size), downloaded + 1)}`
  );
}

/** Changes per day, to two significant digits. */
export function perDay(rate: number): string {
  return `${Number((rate * 86_400).toPrecision(2))} changes a day`;
}

export const DEFAULT_SITE_ORDER = 'adaptive-organ-pipe';

const ORDERS: readonly SiteOrder[] = [
  byRate(DEFAULT_SITE_ORDER, adaptiveOrganPipe),
  byRate('sharc-online', sharcOnline),
  breadthFirst,
  depthFirst,
  byRate('hottest-first', hottest),
  byRate('coldest-first', coldest),
];

/** Needs the pages and their rates in advance: see planned-order.ts. */
export const SHARC_OFFLINE = 'sharc-offline';

export const SITE_ORDER_NAMES: readonly string[] = [...ORDERS.map((order) => order.name), SHARC_OFFLINE];

/** An order that needs no advance knowledge. */
export function siteOrder(name: string): SiteOrder {
  const order = ORDERS.find((candidate) => candidate.name === name);
  if (order) return order;
  if (name === SHARC_OFFLINE)
    throw new RangeError(`${SHARC_OFFLINE} needs the pages of the site and their rates: plannedOrder`);
  throw new RangeError(`no order is named '${name}'; there are: ${SITE_ORDER_NAMES.join(', ')}`);
}
