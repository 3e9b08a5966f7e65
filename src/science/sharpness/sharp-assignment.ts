/**
 * `sharp-assignment` (ours): the most expected sharp pages that nested intervals allow.
 *
 * Pages are assigned to the gaps (2j+1)Δ, j = 0..n, maximising Σ w_i·e^{−λ_i·gap}. With equal weights
 * SHARC-threshold comes close; with importance it does not (it cannot keep an important hot page inside).
 *
 * Two shortcuts, both exact:
 * - Pages that never change, or have no weight, are worth the same in every gap. All other pages lose by a
 *   longer gap, so they share the innermost gaps, and the indifferent pages take what is left, outside.
 * - Gaps are equally spaced, so the values of a page are a geometric sequence: one multiplication per gap
 *   instead of an exponential.
 */
import { assign } from './assignment.ts';
import { gapLength, mirroredSchedule } from './mirrored-gaps.ts';
import { orderByRate } from './rate-order.ts';
import { checkSite, type RevisitSchedule, type SiteToCapture } from './schedule.ts';

export interface SharpAssignment extends RevisitSchedule {
  /** Expected sharp pages, or their weight. */
  readonly expected: number;
  /** No nested schedule can promise more than this: equal to `expected` except for rounding. */
  readonly bound: number;
}

export function sharpAssignment(site: SiteToCapture): SharpAssignment {
  checkSite(site);
  const { rates, delay } = site;
  const size = rates.length;
  const weight = (page: number): number => site.weights?.[page] ?? 1;
  const order = Array.from(orderByRate(rates));
  const indifferent = order.filter((page) => rates[page] === 0 || weight(page) === 0);
  const pages = order.filter((page) => rates[page] !== 0 && weight(page) !== 0);

  const { columns, value, bound } = assign(pages.length, (row, first, step, out) => {
    const page = pages[row] as number;
    const rate = rates[page] as number;
    let x = weight(page) * Math.exp(-rate * gapLength(first, delay));
    const ratio = Math.exp(-rate * 2 * step * delay);
    for (let j = 0; j < out.length; j++) {
      out[j] = x;
      x *= ratio;
    }
  });
  const gapOf = new Uint32Array(size);
  for (const [row, page] of pages.entries()) gapOf[page] = columns[row] as number;
  for (const [k, page] of indifferent.entries()) gapOf[page] = size - 1 - k;
  // Of the indifferent pages, those of rate 0 are certainly sharp; the weightless add nothing.
  const certain = indifferent.reduce((sum, page) => sum + (rates[page] === 0 ? weight(page) : 0), 0);
  return { ...mirroredSchedule(gapOf, delay), expected: value + certain, bound: bound + certain };
}
