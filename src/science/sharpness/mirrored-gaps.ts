/**
 * Nested visit-revisit intervals around the middle of the capture (SHARC 2009, §7.2): gap j = 0..n is
 * [(n−j)Δ, (n+1+j)Δ], of length (2j+1)Δ. All contain the middle, so all sharp pages share a date.
 */
import type { RevisitSchedule } from './schedule.ts';

/** @param gapOf index of the gap of each page, 0 the innermost */
export function mirroredSchedule(gapOf: ArrayLike<number>, delay: number): RevisitSchedule {
  const n = gapOf.length - 1;
  return {
    visits: Float64Array.from(gapOf, (gap) => (n - gap) * delay),
    revisits: Float64Array.from(gapOf, (gap) => (n + 1 + gap) * delay),
  };
}

/** Length of gap j. */
export const gapLength = (gap: number, delay: number): number => (2 * gap + 1) * delay;
