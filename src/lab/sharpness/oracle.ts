/** The limits: what a schedule that knew all changes beforehand could reach. */
import { mirroredSchedule } from '../../science/sharpness/mirrored-gaps.ts';
import type { RevisitSchedule, Schedule } from '../../science/sharpness/schedule.ts';
import { fillGroups } from '../../science/sharpness/slot-groups.ts';

/**
 * Least exact blur of one visit per page. Between two changes of the site it does not matter when a page is fetched, so
 * there are as many groups of slots as times at which anything changed; pages that do not change take the remaining
 * slots.
 */
export function leastBlurSchedule(changes: readonly Float64Array[], delay: number): Schedule {
  const size = changes.length;
  const end = (size - 1) * delay;
  const starts = groupStarts(changes, size, delay);
  const room = starts.map((slot, g) => (starts[g + 1] ?? size) - slot);
  const moving = changes.flatMap((times, page) => (times.length > 0 ? [page] : []));
  const groups = fillGroups(
    moving.map((page) => blurBySlot(changes[page] as Float64Array, starts, delay, end)),
    room,
  );
  const visits = new Float64Array(size).fill(-1);
  const next = [...starts];
  for (const [k, page] of moving.entries()) {
    const group = groups[k] as number;
    visits[page] = (next[group] as number) * delay;
    next[group] = (next[group] as number) + 1;
  }
  let group = 0;
  for (let page = 0; page < size; page++) {
    if ((visits[page] as number) >= 0) continue;
    while ((next[group] as number) >= (starts[group + 1] ?? size)) group++;
    visits[page] = (next[group] as number) * delay;
    next[group] = (next[group] as number) + 1;
  }
  return { visits };
}

/** First slots of the groups: 0, and the first at or after each change. */
function groupStarts(changes: readonly Float64Array[], size: number, delay: number): number[] {
  const starts = new Set<number>(size > 0 ? [0] : []);
  for (const times of changes) {
    for (const time of times) {
      let slot = Math.max(0, Math.ceil(time / delay) - 1);
      // By comparison, not by division alone, because the measure compares too.
      while (slot * delay < time) slot++;
      if (slot < size) starts.add(slot);
    }
  }
  return [...starts].sort((a, b) => a - b);
}

/** Eq. 22 for one page at these ascending slots, in one sweep over its changes. */
function blurBySlot(times: Float64Array, slots: readonly number[], delay: number, end: number): Float64Array {
  const blur = new Float64Array(slots.length);
  if (end <= 0) return blur;
  let before = 0;
  let after = 0;
  for (const time of times) if (time <= end) after += end - time;
  let j = 0;
  for (const [k, slot] of slots.entries()) {
    for (; j < times.length && (times[j] as number) <= slot * delay; j++) {
      before += times[j] as number;
      if ((times[j] as number) <= end) after -= end - (times[j] as number);
    }
    blur[k] = (before + after) / end;
  }
  return blur;
}

/**
 * The most sharp pages that nested intervals allow: each page is sharp in all gaps up to its own largest; those with
 * the smallest go innermost, and a page that can no longer be sharp goes outside (earliest deadline first).
 */
export function mostSharpSchedule(changes: readonly Float64Array[], delay: number): RevisitSchedule {
  const n = changes.length - 1;
  const largest = changes.map((times) => {
    let gap = n + 1;
    for (const time of times) {
      const slot = time / delay;
      // In [n − j, n + 1 + j] from this j on.
      gap = Math.min(gap, Math.max(0, Math.ceil(n - slot), Math.ceil(slot - n - 1)));
    }
    return gap - 1;
  });
  const order = Int32Array.from({ length: n + 1 }, (_, i) => i).sort(
    (a, b) => (largest[a] as number) - (largest[b] as number),
  );
  const gapOf = new Int32Array(n + 1);
  let inner = 0;
  let outer = n;
  for (const page of order) gapOf[page] = (largest[page] as number) >= inner ? inner++ : outer--;
  return mirroredSchedule(gapOf, delay);
}
