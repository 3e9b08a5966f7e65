/**
 * `multi-visit` (ours; the paper's future work): a budget of downloads instead of one or two per page.
 *
 * A page fetched k times at the middles of k equal parts of the interval, (2j−1)T/2k, has the blur λT/4k: the
 * least that k visits can have. One more visit saves λT/4·(1/k − 1/(k+1)), so the next visit goes to the page with
 * the largest λ/(k(k+1)); that is greedy on a concave sum, hence optimal for the budget. Every page is visited once
 * first. O(D log n) with a heap.
 *
 * The times are idealised: two pages may fall on the same moment.
 */
import { checkSite, ScheduleInputError, type SiteToCapture } from './schedule.ts';

export interface MultiVisitSchedule {
  /** Ascending times of the visits of each page. */
  readonly times: readonly Float64Array[];
  /** End of the interval: budget × delay. */
  readonly end: number;
}

export function multiVisit(site: SiteToCapture, budget: number): MultiVisitSchedule {
  checkSite(site);
  const size = site.rates.length;
  if (!Number.isInteger(budget) || budget < size) {
    throw new ScheduleInputError(`a budget of ${budget} downloads is not enough to visit ${size} pages once`);
  }
  const counts = new Uint32Array(size).fill(1);
  const value = (page: number): number => (site.weights?.[page] ?? 1) * (site.rates[page] as number);
  const gain = Float64Array.from({ length: size }, (_, page) => value(page) / 2);
  const heap = Array.from({ length: size }, (_, page) => page);
  // Largest gain on top; ties go to the lower page index, so that the result does not depend on the heap.
  const before = (a: number, b: number): boolean => {
    const difference = (gain[a] as number) - (gain[b] as number);
    return difference > 0 || (difference === 0 && a < b);
  };
  for (let k = (size >> 1) - 1; k >= 0; k--) sink(heap, k, before);
  for (let left = budget - size; left > 0 && size > 0; left--) {
    const page = heap[0] as number;
    // No page that changes is left.
    if (gain[page] === 0) break;
    const count = (counts[page] as number) + 1;
    counts[page] = count;
    gain[page] = value(page) / (count * (count + 1));
    sink(heap, 0, before);
  }
  const end = budget * site.delay;
  const times = Array.from(counts, (k) =>
    Float64Array.from({ length: k }, (_, j) => ((2 * j + 1) * end) / (2 * k)),
  );
  return { times, end };
}

function sink(heap: number[], from: number, before: (a: number, b: number) => boolean): void {
  const item = heap[from] as number;
  let k = from;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1] as number, heap[child] as number)) child++;
    if (!before(heap[child] as number, item)) break;
    heap[k] = heap[child] as number;
    k = child;
  }
  heap[k] = item;
}
