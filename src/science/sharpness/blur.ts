/**
 * Expected blur of a capture.
 *
 * Denev, Mazeika, Spaniol, Weikum: SHARC: Framework for Quality-Conscious Web Archiving. PVLDB 2(1), 2009,
 * §4.1, §4.4, §7.1.
 *
 * A reader asks for the site as of a time t, all times of the observation interval being equally likely. The blur of a page is
 * the expected number of its changes between t and the time it was fetched; that of a capture is the sum.
 *
 * | paper | here |
 * | --- | --- |
 * | λ_i | rate, changes per unit of time |
 * | ω(t, …) | penalty, unit of time squared |
 * | [o_s, o_e] | observation, a pair; [0, nΔ] or [0, (2n+1)Δ] in the paper's default |
 * | t_i^v, t_i^r | visit, revisit |
 *
 * Departures: an observation interval of zero length (one page, fetched once) has blur 0 where the formula divides
 * zero by zero: t then equals the time of the visit. The penalty with revisits is given for a general interval
 * and any number of visits; the paper's Eq. 19 is the special case (a test shows it). Weights are ours: a page's
 * blur counts by its importance.
 */
import type { Schedule, SiteToCapture } from './schedule.ts';

export type Interval = readonly [start: number, end: number];

/** Eq. 2 and §4.4: ω(t) = t² − t(o_s + o_e) + (o_s² + o_e²)/2, for t inside the interval or outside. */
export function penalty(time: number, [start, end]: Interval): number {
  if (time < start || time > end) return Math.abs(time - (start + end) / 2) * (end - start);
  return time * time - time * (start + end) + (start * start + end * end) / 2;
}

/** Eq. 19, for the paper's interval [0, T]. Assumes 0 ≤ visit ≤ revisit ≤ T. */
export function penaltyEq19(visit: number, revisit: number, end: number): number {
  return visit * visit - (visit + revisit) ** 2 / 4 + revisit * revisit - revisit * end + (end * end) / 2;
}

/**
 * Eq. 18 for any number of visits, ascending: the nearest version answers, so each covers the times
 * up to the midpoint between it and the next one.
 */
export function penaltyOfVisits(visits: ArrayLike<number>, [start, end]: Interval): number {
  let sum = 0;
  for (let k = 0; k < visits.length; k++) {
    const time = visits[k] as number;
    const from = k === 0 ? start : clamp((time + (visits[k - 1] as number)) / 2, start, end);
    const to = k === visits.length - 1 ? end : clamp((time + (visits[k + 1] as number)) / 2, start, end);
    sum += penalty(time, [from, to]);
  }
  return sum;
}

const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/** The interval the capture itself takes: from 0 to the last request. */
export function captureInterval(site: Pick<SiteToCapture, 'rates' | 'delay'>, visitsPerPage = 1): Interval {
  return [0, Math.max(0, visitsPerPage * site.rates.length - 1) * site.delay];
}

/** Blur of one page fetched at `visits`, ascending. Eq. 1, 18. */
export function pageBlur(rate: number, visits: ArrayLike<number>, observation: Interval): number {
  const length = observation[1] - observation[0];
  if (length <= 0) return 0;
  return (rate * penaltyOfVisits(visits, observation)) / length;
}

/** Expected blur of a capture. Eq. 3, 20; the observation interval is the capture's own when none is given. */
export function expectedBlur(
  site: Pick<SiteToCapture, 'rates' | 'delay' | 'weights'>,
  schedule: Schedule,
  observation: Interval = captureInterval(site, schedule.revisits ? 2 : 1),
): number {
  let sum = 0;
  for (let i = 0; i < site.rates.length; i++) {
    const visits = [schedule.visits[i] as number];
    if (schedule.revisits) visits.push(schedule.revisits[i] as number);
    sum += (site.weights?.[i] ?? 1) * pageBlur(site.rates[i] as number, visits, observation);
  }
  return sum;
}
