/**
 * Dating a site capture (SHARC 2009, §7.2). A sharp page is proven unchanged over its whole visit-revisit
 * interval; a time that lies in the intervals of all pages dates the whole site exactly: at that moment the site
 * existed as it is archived.
 *
 * Departure: the paper asks for an intersection of all intervals (Theorem 7.6). A capture is rarely that sharp,
 * so `bestDate` finds the t* that proves the most pages (or the most importance) unchanged across it.
 */
import type { Interval } from './blur.ts';

export interface SiteDate {
  /** t*: the middle of `range`. */
  readonly time: number;
  /** All times that prove as much as t*; the first such range when there are several disjoint ones. */
  readonly range: Interval;
  /** Weight of the pages proven unchanged across t*; their number when no weights are given. */
  readonly proven: number;
  /** Indices, in the list given, of the intervals that contain t*. */
  readonly pages: readonly number[];
}

/**
 * The time covered by most of these closed intervals (those of the sharp pages). Sweeps over their ends,
 * O(n log n). Undefined when there are none.
 */
export function bestDate(intervals: readonly Interval[], weights?: ArrayLike<number>): SiteDate | undefined {
  if (intervals.length === 0) return undefined;
  const weight = (i: number): number => weights?.[i] ?? 1;
  const starts = intervals.map((_, i) => i).sort((a, b) => at(intervals, a)[0] - at(intervals, b)[0]);
  const ends = intervals.map((_, i) => i).sort((a, b) => at(intervals, a)[1] - at(intervals, b)[1]);
  let covered = 0;
  let open = 0;
  let best = -1;
  let range: Interval = [0, 0];
  let e = 0;
  for (let s = 0; s < starts.length; s++) {
    const start = at(intervals, starts[s] as number)[0];
    // Closed intervals: one that ends where another starts still covers that moment.
    for (; e < ends.length && at(intervals, ends[e] as number)[1] < start; e++) {
      covered -= weight(ends[e] as number);
      open--;
    }
    // Drops rounding errors left by intervals long closed.
    if (open === 0) covered = 0;
    covered += weight(starts[s] as number);
    open++;
    if (covered > best) {
      best = covered;
      range = [start, at(intervals, ends[e] as number)[1]];
    }
  }
  const time = (range[0] + range[1]) / 2;
  const pages = intervals.flatMap(([from, to], i) => (from <= time && time <= to ? [i] : []));
  return { time, range, proven: pages.reduce((sum, i) => sum + weight(i), 0), pages };
}

function at(intervals: readonly Interval[], index: number): Interval {
  return intervals[index] as Interval;
}
