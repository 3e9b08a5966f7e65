/**
 * A site order decides which of the URLs known so far is fetched next. It is pure. Each candidate gets a rank when
 * it is discovered, and the frontier keeps what waits sorted by it; at each slot the order says which of them comes
 * next, by its place in that list: the first for an order that is all in its ranks, the coldest, the hottest or one
 * in the middle for one that follows the course of the crawl. So the order has no memory of its own: a crawl that
 * was killed goes on in the same order from its frontier and its counts.
 */
import { organPipeIndex } from '../sharpness/explore-first.ts';
import { phase } from '../sharpness/sharc-online.ts';

export interface Candidate {
  readonly url: string;
  /** Links away from the seed. */
  readonly depth: number;
  /** How many pages of this crawl had been discovered from before this one: grows with the crawl. */
  readonly batch: number;
  /** Place among the links of its page. */
  readonly index: number;
  /** Changes per second, known or predicted. */
  readonly rate: number;
}

/** How far the crawl of a host is. Slots are requests for pages, at the host's pace. */
export interface CrawlCourse {
  readonly downloaded: number;
  /** Pages detected and not downloaded. */
  readonly waiting: number;
  /** Pages that the site has, as far as can be told: see DiscoveryCurve. */
  readonly size: number;
}

export interface SiteOrder {
  readonly name: string;
  rank(candidate: Candidate): number;
  /** Said when a candidate is discovered. */
  reason(candidate: Candidate): string;
  /** Place, from 0 for the lowest rank, of the page to fetch now; absent: always the first. */
  place?(course: CrawlCourse): number;
  /** Said of the page that takes this slot; absent: what was said when it was discovered. */
  slotReason?(rate: number, course: CrawlCourse): string;
}

/** Links per page that keep their order; those past it share the last place. 2^20. */
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

const slot = ({ downloaded, size }: CrawlCourse): string =>
  `slot ${downloaded + 1} of about ${Math.max(Math.round(size), downloaded + 1)}`;

/** Sorted by change rate. */
function byRate(
  name: string,
  next: (course: CrawlCourse) => number,
  said: (course: CrawlCourse) => string,
): SiteOrder {
  return {
    name,
    rank: ({ rate }) => rate,
    // Said of every link of every page: the numbers come with the slot.
    reason: () => `${name}: waits for its slot`,
    place: next,
    slotReason: (rate, course) => `${name}: ${said(course)}rate ${perDay(rate)}, ${slot(course)}`,
  };
}

export const coldestFirst: SiteOrder = byRate(
  'coldest-first',
  () => 0,
  () => '',
);

export const hottestFirst: SiteOrder = byRate(
  'hottest-first',
  ({ waiting }) => waiting - 1,
  () => '',
);

/**
 * SHARC-online (SHARC 2009, §5.3), with our correction: the size is estimated anew at every slot, and the detected
 * pages stand for the undetected in proportion (`adaptive-online` in the lab). With the paper's rule a size guessed
 * twice too large makes it coldest-first, at 1.4 times the blur.
 */
export const sharcOnline: SiteOrder = byRate(
  'sharc-online',
  ({ downloaded, waiting, size }) => organPipeIndex(downloaded, waiting, size),
  ({ downloaded, waiting, size }) => `${phase(downloaded, waiting, size)}, `,
);

/** Changes per day, in few digits. */
export function perDay(rate: number): string {
  return `${Number((rate * 86_400).toPrecision(2))}/day`;
}

const ORDERS: readonly SiteOrder[] = [sharcOnline, breadthFirst, depthFirst, hottestFirst, coldestFirst];

/** Needs the pages and their rates beforehand: see planned-order.ts. */
export const SHARC_OFFLINE = 'sharc-offline';

export const SITE_ORDER_NAMES: readonly string[] = [...ORDERS.map((order) => order.name), SHARC_OFFLINE];

/** An order that needs to know nothing beforehand. */
export function siteOrder(name: string): SiteOrder {
  const order = ORDERS.find((candidate) => candidate.name === name);
  if (order) return order;
  if (name === SHARC_OFFLINE)
    throw new RangeError(`${SHARC_OFFLINE} needs the pages of the site and their rates: plannedOrder`);
  throw new RangeError(`no order is named '${name}'; there are: ${SITE_ORDER_NAMES.join(', ')}`);
}
