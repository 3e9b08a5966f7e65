/**
 * SHARC-threshold (SHARC 2009, Definition 7.7): the most sharp pages, by giving up those beyond hope.
 *
 * Nested intervals around the middle; from the hottest page down, a page takes the innermost interval left if it
 * is likely to stay unchanged over it (change probability < τ), otherwise it is hopeless. Hopeless pages get the
 * outermost intervals, the hottest of them the outermost.
 *
 * | paper | here |
 * | --- | --- |
 * | τ | threshold |
 * | iteration i | gap i, [(n−i)Δ, (n+i+1)Δ] |
 *
 * Errata: the probability is 1 − exp(−(2i+1)Δλ), not of 2(n−i)+1; the interval of hopeless page j of 0..k is
 * [k−j, 2n+1−k+j]. Example 7.9: (a) five pages are sharp, p_0 too; (b) one.
 * Departures: without τ, the number of hopeless pages (the hottest) is chosen that promises the most sharp
 * pages (Theorem 7.8). Up to 4,000 pages all numbers are tried; beyond, a grid that is refined three times around its
 * best, since each trial costs O(n). Weights count in the choice but not in the order, as the paper's rule has none:
 * `sharp-assignment` is the one that uses them.
 */
import { gapLength, mirroredSchedule } from './mirrored-gaps.ts';
import { orderByRate } from './rate-order.ts';
import { checkSite, type RevisitSchedule, ScheduleInputError, type SiteToCapture } from './schedule.ts';

const TRY_ALL = 4_000;
const GRID = 48;

export interface ThresholdSchedule extends RevisitSchedule {
  /** Pages given up, by index, coldest first. */
  readonly hopeless: readonly number[];
}

export function sharcThreshold(site: SiteToCapture, threshold?: number): ThresholdSchedule {
  checkSite(site);
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    throw new ScheduleInputError(`the threshold is a probability: ${threshold} is not between 0 and 1`);
  }
  const order = orderByRate(site.rates);
  const hopeless =
    threshold === undefined ? hottest(order, bestHopeless(site, order)) : beyondHope(site, order, threshold);
  return scheduleWithHopeless(order, new Set(hopeless), site.delay);
}

/** Pages, coldest first, that never fall below the threshold. */
function beyondHope(site: SiteToCapture, order: Uint32Array, threshold: number): number[] {
  const hopeless: number[] = [];
  let gap = 0;
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const page = order[rank] as number;
    const changes = -Math.expm1(-(site.rates[page] as number) * gapLength(gap, site.delay));
    if (changes < threshold) gap++;
    else hopeless.push(page);
  }
  return hopeless.reverse();
}

const hottest = (order: Uint32Array, count: number): number[] =>
  count === 0 ? [] : Array.from(order.subarray(-count));

function scheduleWithHopeless(order: Uint32Array, hopeless: Set<number>, delay: number): ThresholdSchedule {
  const gapOf = new Uint32Array(order.length);
  let promising = 0;
  let outermost = order.length - 1;
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const page = order[rank] as number;
    gapOf[page] = hopeless.has(page) ? outermost-- : promising++;
  }
  return { ...mirroredSchedule(gapOf, delay), hopeless: [...hopeless] };
}

/** Theorem 7.8: expected sharp pages when the `count` hottest are hopeless. */
export function expectedWithHopeless(site: SiteToCapture, order: Uint32Array, count: number): number {
  const size = order.length;
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    const page = order[rank] as number;
    // Ranks below size − count are promising, the hottest of them innermost; the others have their rank as gap.
    const gap = rank < size - count ? size - count - 1 - rank : rank;
    sum += (site.weights?.[page] ?? 1) * Math.exp(-(site.rates[page] as number) * gapLength(gap, site.delay));
  }
  return sum;
}

export function bestHopeless(site: SiteToCapture, order: Uint32Array): number {
  const size = order.length;
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  const tryCounts = (from: number, to: number, step: number): void => {
    for (let count = Math.max(0, from); count <= Math.min(size, to); count += step) {
      const value = expectedWithHopeless(site, order, count);
      if (value > most) {
        most = value;
        best = count;
      }
    }
  };
  let step = size <= TRY_ALL ? 1 : Math.ceil(size / GRID);
  tryCounts(0, size, step);
  while (step > 1) {
    const around = step;
    step = Math.max(1, Math.ceil(step / (GRID / 4)));
    tryCounts(best - around, best + around, step);
  }
  return best;
}
