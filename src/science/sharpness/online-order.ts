/**
 * Orders that discover the site while they crawl it (SHARC 2009, §5.1): a list of detected pages, from which the
 * next one is taken. One interface for the paper's strategies, the baselines and ours; the live crawler and the
 * simulation call the same code.
 */
import { DiscoveryCurve } from './discovery-curve.ts';
import { RateBag } from './rate-bag.ts';
import { checkSite, type Schedule, type SiteToCapture, timesOfOrder } from './schedule.ts';
import { hottest, type SlotRule } from './slot-rule.ts';

export interface DetectedPage {
  /** Any number by which the caller identifies the page. */
  readonly page: number;
  /** Predicted changes per unit of time (multiplied by importance, if that counts). */
  readonly rate: number;
  /** Links away from the seeds. */
  readonly depth: number;
  /** '' when unknown. */
  readonly directory: string;
  /** Utility as defined by Olston and Pandey. */
  readonly utility: number;
  /** Known before the crawl: no download revealed it. */
  readonly isKnown?: boolean;
}

/** The state of one crawl. Each page is detected once. */
export interface OnlineOrder {
  detect(page: DetectedPage): void;
  /** Takes the page to download now; undefined when none is waiting. Its links must be detected before the next call. */
  next(): number | undefined;
}

/** Starts a crawl of a site of about this many pages. */
export type OnlineStrategy = (estimatedSize: number) => OnlineOrder;

/** Newly detected pages at the end of the list (Table 2). */
export const breadthFirst: OnlineStrategy = () => {
  const queue: number[] = [];
  let head = 0;
  return {
    detect: ({ page }) => void queue.push(page),
    next: () => (head < queue.length ? queue[head++] : undefined),
  };
};

/** Newly detected pages at the front of the list, in the order of the links (Table 1). */
export const depthFirst: OnlineStrategy = () => {
  const stack: number[] = [];
  let detected: number[] = [];
  return {
    detect: ({ page }) => void detected.push(page),
    next: () => {
      while (detected.length > 0) stack.push(detected.pop() as number);
      detected = [];
      return stack.pop();
    },
  };
};

/** Waiting pages sorted by rate; a rule takes one at each slot. */
export const byRate =
  (rule: SlotRule, key: (page: DetectedPage) => number = ({ rate }) => rate): OnlineStrategy =>
  (estimatedSize) => {
    const bag = new RateBag();
    const depthOf = new Map<number, number>();
    const curve = new DiscoveryCurve(estimatedSize);
    return {
      detect: (detected) => {
        depthOf.set(detected.page, detected.depth);
        if (detected.isKnown) curve.know(detected.depth);
        else curve.detect(detected.depth);
        bag.add(detected.page, key(detected));
      },
      next: () => {
        if (bag.size === 0) return undefined;
        const course = { waiting: bag.size, firstGuess: estimatedSize, estimate: curve.estimate() };
        const page = bag.takeAt(rule({ downloaded: curve.downloaded, ...course }).place);
        curve.download(depthOf.get(page) ?? 0);
        depthOf.delete(page);
        return page;
      },
    };
  };

/**
 * Olston and Pandey (WWW 2008) as in the paper's comparison: highest utility first, which is the exact blur a page would
 * have if it were fetched at the end of the interval: it favours late changes.
 */
export const olstonPandey: OnlineStrategy = byRate(hottest, ({ utility }) => utility);

/** U_p = Σ (h_j − o_s)/(o_e − o_s), over the changes in [o_s, o_e]; per unit of the interval. §8. */
export function olstonPandeyUtility(changes: ArrayLike<number>, start: number, end: number): number {
  if (!(end > start)) return 0;
  let sum = 0;
  for (let j = 0; j < changes.length; j++) {
    const change = changes[j] as number;
    if (start <= change && change <= end) sum += change - start;
  }
  return sum / (end - start);
}

/** Order in which an online strategy downloads a site, discovering it by its links. Unreachable pages come last. */
export function crawlOrder(strategy: OnlineStrategy, site: SiteToCapture): number[] {
  checkSite(site);
  const size = site.rates.length;
  const seen = new Uint8Array(size);
  const depth = new Uint32Array(size);
  const order = strategy(site.estimatedSize ?? size);
  const detect = (page: number, level: number, isKnown = false): void => {
    if (seen[page] !== 0) return;
    seen[page] = 1;
    depth[page] = level;
    const rate = (site.rates[page] as number) * (site.weights?.[page] ?? 1);
    order.detect({
      page,
      rate,
      depth: level,
      directory: site.directories?.[page] ?? '',
      utility: site.utilities?.[page] ?? rate,
      ...(isKnown && { isKnown }),
    });
  };
  const { links } = site;
  const seeds = site.seeds ?? (links && size > 0 ? [0] : Array.from({ length: size }, (_, page) => page));
  for (const seed of seeds) detect(seed, 0);
  // The depth of a known page does not matter here: it only counts for what it leads to.
  for (const page of site.known ?? []) detect(page, 1, true);
  const downloads: number[] = [];
  for (let unreached = 0; ; ) {
    const page = order.next();
    if (page !== undefined) {
      downloads.push(page);
      for (const target of links?.(page) ?? []) detect(target, (depth[page] as number) + 1);
      continue;
    }
    // A page no link leads to still belongs to the capture: it becomes a seed when all else is done.
    while (unreached < size && seen[unreached] !== 0) unreached++;
    if (unreached >= size) return downloads;
    detect(unreached, 0);
  }
}

export function onlineSchedule(strategy: OnlineStrategy, site: SiteToCapture): Schedule {
  return { visits: timesOfOrder(crawlOrder(strategy, site), site.delay) };
}
