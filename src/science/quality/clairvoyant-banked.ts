/**
 * The clairvoyant optimum where earned visits may be kept: a visit earned at tick k may be made at k or at any
 * later tick, without a limit to what is kept. A job then needs a visit earned at or before its last tick, and its first
 * tick does not matter. All windows begin at 0, so for each k there may be as many jobs with a last tick of k or earlier as was
 * earned up to k: a laminar matroid. Taking jobs by descending weight is exact; each gets the latest visit it
 * can use, which leaves the earlier ones, usable by more jobs, to others.
 *
 * A bank with limited room can reach less: the optimum is a bound for it too, but need not be reached.
 */
import type { Job } from './clairvoyant.ts';

/** Σ weight of the jobs done. */
export function bankedOptimum(jobs: readonly Job[], earned: ArrayLike<number>): number {
  const ticks = earned.length;
  const left = Float64Array.from({ length: ticks }, (_, tick) => Math.max(0, Math.floor(earned[tick] ?? 0)));
  // By tick + 1: the latest tick + 1 not after it with a visit left; 0 for none.
  const free = Int32Array.from({ length: ticks + 1 }, (_, place) => place);
  const latest = (place: number): number => {
    let root = place;
    while (root > 0 && (free[root] !== root || left[root - 1] === 0)) {
      root = free[root] === root ? root - 1 : (free[root] as number);
    }
    for (let at = place; at > root; ) {
      const next = free[at] === at ? at - 1 : (free[at] as number);
      free[at] = root;
      at = next;
    }
    return root;
  };
  const order = jobs
    .filter(({ first, last, weight }) => weight > 0 && last >= Math.max(0, first) && first < ticks)
    .sort((a, b) => b.weight - a.weight);
  let weight = 0;
  for (const job of order) {
    const place = latest(Math.min(ticks, job.last + 1));
    if (place === 0) continue;
    left[place - 1] = (left[place - 1] as number) - 1;
    weight += job.weight;
  }
  return weight;
}
