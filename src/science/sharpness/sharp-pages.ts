/**
 * Sharp pages (SHARC 2009, §7): those whose visit and revisit found the same version; `##pages` is their number.
 *
 * The interval is closed: a change at the very moment of the visit or the revisit counts against the page, since
 * it is unknown which side of it was fetched (Example 7.9 needs this reading).
 */
import type { RevisitSchedule, SiteToCapture } from './schedule.ts';

/** Whether no change lies in [visit, revisit]. */
export function isSharp(changes: ArrayLike<number>, visit: number, revisit: number): boolean {
  for (let j = 0; j < changes.length; j++) {
    const change = changes[j] as number;
    if (visit <= change && change <= revisit) return false;
  }
  return true;
}

/** Indices of the sharp pages. */
export function sharpPages(changes: readonly ArrayLike<number>[], schedule: RevisitSchedule): number[] {
  const sharp: number[] = [];
  for (let i = 0; i < schedule.visits.length; i++) {
    if (isSharp(changes[i] ?? [], schedule.visits[i] as number, schedule.revisits[i] as number))
      sharp.push(i);
  }
  return sharp;
}

/** Expected ##pages under Poisson changes: Σ w_i·e^{−λ_i·(r_i − v_i)}. Theorem 7.8. */
export function expectedSharp(
  site: Pick<SiteToCapture, 'rates' | 'weights'>,
  schedule: RevisitSchedule,
): number {
  let sum = 0;
  for (let i = 0; i < schedule.visits.length; i++) {
    const gap = (schedule.revisits[i] as number) - (schedule.visits[i] as number);
    sum += (site.weights?.[i] ?? 1) * Math.exp(-(site.rates[i] as number) * gap);
  }
  return sum;
}
