import type { Block } from '../../../model/layout.ts';
import { type LeafPairs, sizeOf } from './leaf-pairs.ts';

/**
 * Which leaves kept the reading order, and which passed others: a leaf that merely shifted because something came
 * before it has not moved. Of all readings of the moves, the one that moves least content: a heaviest run of pairs in
 * which neither side goes back. O(n log n).
 */
export interface LeafOrder {
  /** For each old leaf, whether it, or its part in a merge, kept the order; 1 also if it has no partner. */
  readonly keptOld: Uint8Array;
  /** The same for new leaves, and for the parts of a split. */
  readonly keptNew: Uint8Array;
}

/** Weight of an element, where leaves weigh 1: decides between runs of equally many leaves. */
const TIE = 1e-6;

interface Step {
  readonly old: number;
  readonly new: number;
}

export function leafOrder(pairs: LeafPairs): LeafOrder {
  const { olds, news, partnerOfOld, parted } = pairs;
  const keptOld = new Uint8Array(olds.length).fill(1);
  const keptNew = new Uint8Array(news.length).fill(1);
  const steps: Step[] = [];
  partnerOfOld.forEach((n, o) => {
    if (n !== -1) steps.push({ old: o, new: n });
  });
  for (const { old, new: now } of parted) {
    for (const o of old) for (const n of now) if (partnerOfOld[o] !== n) steps.push({ old: o, new: n });
  }
  if (parted.length > 0) steps.sort((a, b) => a.old - b.old || a.new - b.new);
  if (isSorted(steps)) return { keptOld, keptNew };
  const kept = heaviestRun(steps, news.length, ({ old }) => 1 + TIE * sizeOf(olds[old] as Block));
  steps.forEach((step, i) => {
    if (kept[i] === 1) return;
    // A split is marked part by part on the new side, everything else leaf by leaf on the old side.
    if (partnerOfOld[step.old] === step.new || partnerOfOld[step.old] === -1) keptOld[step.old] = 0;
    if (partnerOfOld[step.old] !== -1 || pairs.partnerOfNew[step.new] === step.old) keptNew[step.new] = 0;
  });
  return { keptOld, keptNew };
}

function isSorted(steps: readonly Step[]): boolean {
  for (let i = 1; i < steps.length; i++)
    if ((steps[i - 1] as Step).new > (steps[i] as Step).new) return false;
  return true;
}

/** Marks a run of steps of greatest weight in which `new` never falls: best run so far up to each position, in a Fenwick tree. */
function heaviestRun(steps: readonly Step[], width: number, weightOf: (step: Step) => number): Uint8Array {
  const best = new Int32Array(width + 1).fill(-1);
  const weight = new Float64Array(steps.length);
  const before = new Int32Array(steps.length).fill(-1);
  const heavier = (a: number, b: number): boolean =>
    b === -1 || (a !== -1 && (weight[a] as number) > (weight[b] as number));
  let last = -1;
  steps.forEach((step, i) => {
    let top = -1;
    for (let at = step.new + 1; at > 0; at -= at & -at)
      if (heavier(best[at] as number, top)) top = best[at] as number;
    before[i] = top;
    weight[i] = weightOf(step) + (top === -1 ? 0 : (weight[top] as number));
    for (let at = step.new + 1; at <= width; at += at & -at) if (heavier(i, best[at] as number)) best[at] = i;
    if (heavier(i, last)) last = i;
  });
  const kept = new Uint8Array(steps.length);
  for (let i = last; i !== -1; i = before[i] as number) kept[i] = 1;
  return kept;
}
