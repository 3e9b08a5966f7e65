/**
 * The second pass of a capture: in which order pages that were visited once are visited again.
 *
 * Planned when the first pass is over, since only then the pages, and their visit times, are known for certain:
 * all visits come before all revisits in every schedule of the SHARC paper, so nothing is lost by waiting.
 *
 * - For the least blur, the order of the visits (SHARC-revisits, Definition 7.3).
 * - For the most sharp pages, the assignment of pages to slots that maximises
 *   Σ e^{−Λ_i(v_i, r_i)} − μ·λ_i·ω(v_i, r_i)/T with the visits v_i as they were: `sharpest-within` with its first half
 *   given. μ is the smallest that keeps the expected blur within a multiple of that of SHARC-revisits at the same moments. Λ follows
 *   the pages' hours where they are known. If the first half was planned too, the result is its nested intervals, unless the
 *   crawl went differently.
 * - For pages that agree, the same, with pairs of pages that must agree near each other: see agreeing-slots.ts.
 */
import { assign, type RowValues } from '../sharpness/assignment.ts';
import { penaltyEq19 } from '../sharpness/blur.ts';
import { organPipeSlot } from '../sharpness/organ-pipe.ts';
import { orderByRate } from '../sharpness/rate-order.ts';
import type { ExpectedChanges } from '../sharpness/schedule.ts';
import { SHARP_AND_CLEAR } from '../sharpness/sharp-and-clear.ts';
import { AGREE_UP_TO, agreeingSlots } from './agreeing-slots.ts';
import { BLUR_WEIGHTS, SHARP_BLUR_LIMIT } from './sharp-plan.ts';

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
/** Beyond this many it is made once, with the weight of blur that `sharp-and-clear` uses. */
const SEARCH_UP_TO = 2_000;

/** In which order pages are revisited, and what decided it. */
export interface RevisitPlan {
  readonly name: string;
  /** Indices of the pages, in the order of their revisits. */
  readonly order: readonly number[];
}

/** What is known of the pages besides their rates. */
export interface RevisitKnowledge {
  /** Expected changes of a page from the first visit on, by hour; steady unless given. */
  readonly changes?: ExpectedChanges | undefined;
  /** Pages that must agree, by their indices. */
  readonly pairs?: readonly (readonly [number, number])[];
}

export function revisitOrder(
  pages: readonly VisitedPage[],
  purpose: 'blur' | 'sharp' | 'agree',
  pace: RevisitPace,
  { changes, pairs = [] }: RevisitKnowledge = {},
): RevisitPlan {
  const inTurn = pages
    .map((_, page) => page)
    .sort((a, b) => (pages[a] as VisitedPage).visit - (pages[b] as VisitedPage).visit || a - b);
  if (purpose === 'blur' || pages.length < 2) return { name: 'the order of the visits', order: inTurn };
  if (pages.length > ASSIGN_UP_TO)
    return { name: 'those first that lose most by waiting', order: quickOrder(pages, inTurn, pace) };
  const name = changes ? 'sharpest-within by hour' : 'sharpest-within';
  const { order, weight } = sharpestOrder(pages, inTurn, pace, changes);
  if (purpose !== 'agree' || pairs.length === 0 || pages.length > AGREE_UP_TO) return { name, order };
  const rates = Float64Array.from(pages, ({ rate }) => rate);
  const slots = agreeingSlots({ rates, pairs, delay: pace.delay }, valuesOf(pages, pace, weight, changes));
  return { name: `${name}, with ${pairs.length} pairs that must agree`, order: pagesInSlots(slots) };
}

/** With the smallest weight of blur that keeps blur within the limit; with the largest where none does. */
function sharpestOrder(
  pages: readonly VisitedPage[],
  inTurn: readonly number[],
  pace: RevisitPace,
  changes: ExpectedChanges | undefined,
): { readonly order: number[]; readonly weight: number } {
  const weights = pages.length <= SEARCH_UP_TO ? BLUR_WEIGHTS : [SHARP_AND_CLEAR.blurWeight];
  const most = SHARP_BLUR_LIMIT * blurOfPipe(pages, inTurn, pace);
  let order: number[] = [];
  let weight = 0;
  for (weight of weights) {
    order = bestOrder(pages, pace, weight, changes);
    if (
      blurOf(
        order.map((page, slot) => [pages[page] as VisitedPage, slot]),
        pages,
        pace,
      ) <= most
    )
      break;
  }
  return { order, weight };
}

/** Blur of SHARC-revisits at the moments of these visits: by rate, the coldest outermost in both passes. */
function blurOfPipe(pages: readonly VisitedPage[], inTurn: readonly number[], pace: RevisitPace): number {
  const byRate = Array.from(orderByRate(Float64Array.from(pages, ({ rate }) => rate)));
  const twice = byRate.map((page, rank): readonly [VisitedPage, number] => {
    const slot = organPipeSlot(rank, pages.length);
    const { visit } = pages[inTurn[slot] as number] as VisitedPage;
    return [{ visit, rate: (pages[page] as VisitedPage).rate }, slot];
  });
  return blurOf(twice, pages, pace);
}

/** Expected blur of the pages revisited in these slots, over the span of the capture of all pages. */
function blurOf(
  revisited: readonly (readonly [page: VisitedPage, slot: number])[],
  pages: readonly VisitedPage[],
  pace: RevisitPace,
): number {
  const { first, end } = spanOf(pages, pace);
  return revisited.reduce(
    (sum, [{ visit, rate }, slot]) =>
      sum + rate * penaltyEq19(visit - first, pace.start - first + slot * pace.delay, end),
    0,
  );
}

/** From the first visit to the last revisit. */
function spanOf(pages: readonly VisitedPage[], { start, delay }: RevisitPace) {
  const first = pages.reduce((least, { visit }) => Math.min(least, visit), start);
  return { first, end: start - first + (pages.length - 1) * delay };
}

function bestOrder(
  pages: readonly VisitedPage[],
  pace: RevisitPace,
  blurWeight: number,
  changes: ExpectedChanges | undefined,
): number[] {
  const values = valuesOf(pages, pace, blurWeight, changes);
  return pagesInSlots(
    assign(pages.length, values, orderByRate(Float64Array.from(pages, ({ rate }) => rate))).columns,
  );
}

/** Value of a slot to a page: the chance to be sharp, less its blur. */
function valuesOf(
  pages: readonly VisitedPage[],
  pace: RevisitPace,
  blurWeight: number,
  changes: ExpectedChanges | undefined,
): RowValues {
  const { start, delay } = pace;
  const { first, end } = spanOf(pages, pace);
  return (page, from, step, out) => {
    const { visit, rate } = pages[page] as VisitedPage;
    const v = visit - first;
    const before = changes?.(page, v) ?? 0;
    for (let j = 0; j < out.length; j++) {
      const r = start - first + (from + j * step) * delay;
      const expected = changes ? Math.max(0, changes(page, r) - before) : rate * Math.max(0, r - v);
      out[j] =
        Math.exp(-expected) - (blurWeight * rate * penaltyEq19(v, r, end)) / Math.max(end, Number.MIN_VALUE);
    }
  };
}

function pagesInSlots(slots: Int32Array): number[] {
  const order = new Array<number>(slots.length);
  slots.forEach((slot, page) => {
    order[slot] = page;
  });
  return order;
}

/** First those with the most to lose by waiting, judged at the middle of the pass: −d/dr of e^{−λ(r − v)}. */
function quickOrder(
  pages: readonly VisitedPage[],
  inTurn: readonly number[],
  { start, delay }: RevisitPace,
): number[] {
  const middle = start + (pages.length * delay) / 2;
  const loss = pages.map(({ visit, rate }) => rate * Math.exp(-rate * Math.max(0, middle - visit)));
  return [...inTurn].sort((a, b) => (loss[b] as number) - (loss[a] as number));
}
