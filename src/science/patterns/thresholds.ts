/**
 * Which versions are worth indexing, and under `store: important` worth keeping.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012), §8.
 *
 *   δ(P_i)   mean of the page's pattern          → threshold
 *   μ        importance against the last stored  → importance, in [0, 1]
 *   imp      importance accumulated since then   → Keeper.accumulated
 *
 * Departure. Algorithm 4 prints the test before it adds μ, so that a sum which reaches δ counts only at the next
 * version, one version late. Here μ is added first: the version that carries the sum over the threshold is
 * the one that is kept, as §8.2 says in words.
 */

export interface Keeper {
  readonly threshold: number;
  readonly accumulated: number;
}

export type KeepReason = 'important' | 'accumulated' | 'below-threshold';

export interface KeepDecision {
  readonly keep: boolean;
  readonly reason: KeepReason;
  readonly next: Keeper;
}

/** δ(P) = Σ ω_k / N_T. */
export function indexThreshold(pattern: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < pattern.length; k++) sum += pattern[k] as number;
  return pattern.length === 0 ? 0 : sum / pattern.length;
}

export const newKeeper = (threshold: number): Keeper => ({ threshold, accumulated: 0 });

/** Alg. 4, for one new version. A version that changed nothing is never kept, even with a threshold of 0. */
export function decide(keeper: Keeper, importance: number): KeepDecision {
  if (!(importance >= 0 && importance <= 1)) {
    throw new RangeError(`importance must be in [0, 1], not ${importance}`);
  }
  const restarted = { ...keeper, accumulated: 0 };
  if (importance > 0 && importance >= keeper.threshold) {
    return { keep: true, reason: 'important', next: restarted };
  }
  const accumulated = keeper.accumulated + importance;
  if (importance > 0 && accumulated >= keeper.threshold) {
    return { keep: true, reason: 'accumulated', next: restarted };
  }
  return { keep: false, reason: 'below-threshold', next: { ...keeper, accumulated } };
}

export interface VersionCost {
  readonly importance: number;
  /** Bytes that keeping it would take. */
  readonly size: number;
}

export interface VersionPast {
  /** δ of the pattern, before adjustment. */
  readonly threshold: number;
  /** Recent versions, in order. */
  readonly versions: readonly VersionCost[];
}

/** Bytes of the past that Algorithm 4 would have kept with every threshold multiplied by `factor`. */
export function bytesKept(pages: readonly VersionPast[], factor: number): number {
  let bytes = 0;
  for (const page of pages) {
    let keeper = newKeeper(page.threshold * factor);
    for (const { importance, size } of page.versions) {
      const decision = decide(keeper, importance);
      if (decision.keep) bytes += size;
      keeper = decision.next;
    }
  }
  return bytes;
}

/**
 * The smallest factor on all thresholds with which the past would have fitted into `budget` bytes: learned from what
 * the pages did, so that each keeps its own measure of what matters. Kept bytes do not fall monotonically with the
 * factor (a sum that restarts later may restart more often), hence a scan up a fine ladder, not a bisection.
 */
export function thresholdFactor(pages: readonly VersionPast[], budget: number): number {
  if (!(budget >= 0)) throw new RangeError(`a storage budget is 0 bytes or more, not ${budget}`);
  if (bytesKept(pages, 0) <= budget) return 0;
  for (let step = -40; step <= 200; step++) {
    const factor = 2 ** (step / 8);
    if (bytesKept(pages, factor) <= budget) return factor;
  }
  return Infinity;
}
