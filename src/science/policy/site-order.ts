/**
 * A site order decides which of the URLs known so far is fetched next. It is pure: it gives each candidate
 * a rank when it is discovered, and the frontier serves the lowest rank first.
 */
export interface Candidate {
  readonly url: string;
  /** Links away from the seed. */
  readonly depth: number;
  /** How many pages of this crawl had been discovered from before this one: grows with the crawl. */
  readonly batch: number;
  /** Place among the links of its page. */
  readonly index: number;
}

export interface SiteOrder {
  readonly name: string;
  rank(candidate: Candidate): number;
  reason(candidate: Candidate): string;
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

const ORDERS: readonly SiteOrder[] = [breadthFirst, depthFirst];

export const SITE_ORDER_NAMES: readonly string[] = ORDERS.map((order) => order.name);

export function siteOrder(name: string): SiteOrder {
  const order = ORDERS.find((candidate) => candidate.name === name);
  if (!order) throw new RangeError(`no order is named '${name}'; there are: ${SITE_ORDER_NAMES.join(', ')}`);
  return order;
}
