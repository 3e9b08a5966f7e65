/**
 * How bad k misplaced downloads can be (SHARC 2009, §6, Theorem 6.2).
 *
 * Values are Σ λ_i·ω(t_i), not divided by the length of the interval, as in the paper's Example 6.1.
 *
 * Errata: the increase of Example 6.1 is 176 (23% of 755), not 145; the second sum of Eq. 17 ends at
 * (n+1−k)/2 − 1, otherwise it reads past the last page.
 */
import { penalty } from './blur.ts';
import { organPipeSlot } from './organ-pipe.ts';
import { orderByRate } from './rate-order.ts';
import { checkNonNegative, ScheduleInputError } from './schedule.ts';

export interface WorstCase {
  /** Σ λ·ω of the organ pipe. */
  readonly offline: number;
  /** Σ λ·ω with the k worst misplacements. */
  readonly worst: number;
  readonly increase: number;
}

/**
 * The construction itself, for any rates and any k: the k hottest pages at the k outermost slots, the hottest
 * outermost; the rest as an organ pipe in the slots between.
 */
export function worstCase(rates: ArrayLike<number>, misplaced: number, delay = 1): WorstCase {
  const size = rates.length;
  if (!Number.isInteger(misplaced) || misplaced < 0 || misplaced > size) {
    throw new ScheduleInputError(`cannot misplace ${misplaced} of ${size} pages`);
  }
  checkNonNegative('change rate', rates);
  const order = orderByRate(rates);
  const end = Math.max(0, size - 1) * delay;
  const weigh = (rank: number, slot: number): number =>
    (rates[order[rank] as number] as number) * penalty(slot * delay, [0, end]);
  let offline = 0;
  let worst = 0;
  for (let i = 0; i < size; i++) {
    // Rank i of the organ pipe is at the i-th outermost slot.
    const slot = organPipeSlot(i, size);
    offline += weigh(i, slot);
    worst += i < misplaced ? weigh(size - 1 - i, slot) : weigh(i - misplaced, slot);
  }
  return { offline, worst, increase: worst - offline };
}

/** Eq. 17 with its erratum: pages in pairs of equal rate, n + 1 and k even; `rates` ascending. */
export function worstCaseIncreaseEq17(rates: ArrayLike<number>, misplaced: number, delay = 1): number {
  const n = rates.length - 1;
  const rate = (i: number): number => rates[i] as number;
  const omega = (slot: number): number => penalty(slot * delay, [0, n * delay]);
  let increase = 0;
  for (let i = 0; i <= misplaced / 2 - 1; i++) increase += 2 * (rate(n - 2 * i) - rate(2 * i)) * omega(i);
  for (let i = 0; i <= (n + 1 - misplaced) / 2 - 1; i++) {
    increase -= 2 * (rate(misplaced + 2 * i) - rate(2 * i)) * omega(misplaced / 2 + i);
  }
  return increase;
}
