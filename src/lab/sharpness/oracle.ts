/** The limits: what a schedule that knew all changes beforehand could reach. */
import { assign } from '../../science/sharpness/assignment.ts';
import { mirroredSchedule } from '../../science/sharpness/mirrored-gaps.ts';
import type { RevisitSchedule, Schedule } from '../../science/sharpness/schedule.ts';

/** Least exact blur of one visit per page: an assignment of pages to slots. */
export function leastBlurSchedule(changes: readonly Float64Array[], delay: number): Schedule {
  const size = changes.length;
  const end = (size - 1) * delay;
  if (size < 2) return { visits: new Float64Array(size) };
  const blur = changes.map((times) => blurBySlot(times, size, delay, end));
  const order = Int32Array.from({ length: size }, (_, i) => i).sort(
    (a, b) => (changes[a]?.length ?? 0) - (changes[b]?.length ?? 0),
  );
  const { columns } = assign(
    size,
    (row, first, step, out) => {
      const values = blur[row] as Float64Array;
      for (let j = 0, slot = first; j < out.length; j++, slot += step) out[j] = -(values[slot] as number);
    },
    order,
  );
  return { visits: Float64Array.from(columns, (slot) => slot * delay) };
}

/** Eq. 22 of one page for every slot, by one sweep over its changes. */
function blurBySlot(times: Float64Array, size: number, delay: number, end: number): Float64Array {
  const blur = new Float64Array(size);
  let before = 0;
  let after = 0;
  for (const time of times) if (time <= end) after += end - time;
  let j = 0;
  for (let slot = 0; slot < size; slot++) {
    for (; j < times.length && (times[j] as number) <= slot * delay; j++) {
      before += times[j] as number;
      if ((times[j] as number) <= end) after -= end - (times[j] as number);
    }
    blur[slot] = (before + after) / end;
  }
  return blur;
}

/**
 * Most sharp pages that nested intervals allow: each page is sharp in all gaps up to its own largest; those with
 * the smallest go innermost, and a page that cannot be sharp any more goes outside (earliest deadline first).
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
