/**
 * The second pass of a capture: in which order pages that were visited once are visited again.
 *
 * Planned when the first pass is over, since only then the pages, and when they were visited, are known for certain:
 * all visits come before all revisits in every schedule of the SHARC paper, so nothing is lost by waiting.
 *
 * - For the least blur, the order of the visits (SHARC-revisits, Definition 7.3).
 * - For the most sharp pages, the assignment of pages to slots that maximises
 *   Σ e^{−λ_i·(r_i − v_i)} − μ·λ_i·ω(v_i, r_i)/T with the visits v_i as they were: `sharp-and-clear` with its first
 *   half given. If the first half was planned too, these are its nested intervals, unless the crawl went otherwise.
 */
import { assign } from '../sharpness/assignment.ts';
import { penaltyEq19 } from '../sharpness/blur.ts';
import { orderByRate } from '../sharpness/rate-order.ts';
import { SHARP_AND_CLEAR } from '../sharpness/sharp-and-clear.ts';

export interface VisitedPage {
  /** Seconds, on any scale. */
  readonly visit: number;
  /** Changes per second. */
  readonly rate: number;
}

export interface RevisitPace {
  /** Time of the first slot, on the scale of the visits. */
  readonly start: number;
  /** Seconds between two requests. */
  readonly delay: number;
}

/** Beyond this many pages an assignment takes longer than a crawl can wait. */
const ASSIGN_UP_TO = 10_000;

/** Indices of the pages, in the order of their revisits. */
export function revisitOrder(
  pages: readonly VisitedPage[],
  purpose: 'blur' | 'sharp',
  pace: RevisitPace,
): number[] {
  const inTurn = pages
    .map((_, page) => page)
    .sort((a, b) => (pages[a] as VisitedPage).visit - (pages[b] as VisitedPage).visit || a - b);
  if (purpose === 'blur' || pages.length < 2) return inTurn;
  return pages.length <= ASSIGN_UP_TO ? bestOrder(pages, pace) : quickOrder(pages, inTurn, pace);
}

function bestOrder(pages: readonly VisitedPage[], { start, delay }: RevisitPace): number[] {
  const first = pages.reduce((least, { visit }) => Math.min(least, visit), start);
  const end = start - first + (pages.length - 1) * delay;
  const values = (page: number, from: number, step: number, out: Float64Array): void => {
    const { visit, rate } = pages[page] as VisitedPage;
    const v = visit - first;
    for (let j = 0; j < out.length; j++) {
      const r = start - first + (from + j * step) * delay;
      out[j] =
        Math.exp(-rate * Math.max(0, r - v)) -
        (SHARP_AND_CLEAR.blurWeight * rate * penaltyEq19(v, r, end)) / Math.max(end, Number.MIN_VALUE);
    }
  };
  const { columns } = assign(pages.length, values, orderByRate(Float64Array.from(pages, ({ rate }) => rate)));
  const order = new Array<number>(pages.length);
  columns.forEach((slot, page) => {
    order[slot] = page;
  });
  return order;
}

/** Those first that have the most to lose by waiting, in the middle of the pass: −d/dr of e^{−λ(r − v)}. */
function quickOrder(
  pages: readonly VisitedPage[],
  inTurn: readonly number[],
  { start, delay }: RevisitPace,
): number[] {
  const middle = start + (pages.length * delay) / 2;
  const loss = pages.map(({ visit, rate }) => rate * Math.exp(-rate * Math.max(0, middle - visit)));
  return [...inTurn].sort((a, b) => (loss[b] as number) - (loss[a] as number));
}
