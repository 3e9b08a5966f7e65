/**
 * Exact blur, from the times at which pages did change (SHARC 2009, §8, Eq. 22 and 23).
 *
 * Eq. 22 and 23 count, for each change h, how much of the observation interval is answered with a version from
 * the other side of h: all query times between h and the limit of the answering version's reach. Both are the
 * same sum for one and for two visits; `exactPageBlur` takes any number (the tests have the equations as printed).
 *
 * Departure: Eq. 23 leaves out a change at o_s itself, Eq. 22 keeps it; its term is 0 either way.
 */
import type { Interval } from './blur.ts';
import type { Schedule } from './schedule.ts';

/**
 * Eq. 22 and 23 for any number of visits, ascending; visits outside the observation interval are allowed: a change
 * counts for the part of the interval between it and the reach of the visit that answers there.
 */
export function exactPageBlur(
  changes: ArrayLike<number>,
  visits: ArrayLike<number>,
  [start, end]: Interval,
): number {
  if (end <= start || visits.length === 0) return 0;
  let sum = 0;
  for (let k = 0; k < visits.length; k++) {
    const time = visits[k] as number;
    const from = k === 0 ? start : Math.max(start, (time + (visits[k - 1] as number)) / 2);
    const to = k === visits.length - 1 ? end : Math.min(end, (time + (visits[k + 1] as number)) / 2);
    if (to <= from) continue;
    for (let j = 0; j < changes.length; j++) {
      const change = changes[j] as number;
      if (change <= time) sum += Math.max(0, Math.min(change, to) - from);
      else sum += Math.max(0, to - Math.max(change, from));
    }
  }
  return sum / (end - start);
}

/** Sum over all pages; `changes[i]` are the change times of page i. */
export function exactBlur(
  changes: readonly ArrayLike<number>[],
  schedule: Schedule,
  observation: Interval,
  weights?: ArrayLike<number>,
): number {
  let sum = 0;
  for (let i = 0; i < schedule.visits.length; i++) {
    const visits = [schedule.visits[i] as number];
    if (schedule.revisits) visits.push(schedule.revisits[i] as number);
    sum += (weights?.[i] ?? 1) * exactPageBlur(changes[i] ?? [], visits, observation);
  }
  return sum;
}
