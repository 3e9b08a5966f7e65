/**
 * Which rates fit what the visits of each page saw: step 1 of live-completeness.ts, with the same symbols.
 *
 * π on a grid of rates by EM over all pages (Kiefer and Wolfowitz 1956; Laird 1978), for one variance v of bursts.
 * Cost: O(rounds of EM × pages × grid + pages × gaps × grid).
 */
export interface PatternGap {
  /** Hours between two visits, weighted by the page's pattern. */
  readonly hours: number;
  readonly changed: boolean;
  /** In [0, 1]; 1 for a change that nobody weighed. */
  readonly importance: number;
}

export interface SeenHistory {
  /** Of the page, above 0. */
  readonly weight: number;
  readonly gaps: readonly PatternGap[];
  /** Hours since the last visit, weighted likewise. */
  readonly since: number;
}

/** Rates on the grid: from one change in about two years of watching to five an hour, each 1.35 times the one before. */
const LOWEST = 1 / 20_000;
const STEP = 1.35;
const RATES = 39;
/** Belief, in pages, that is spread evenly over the grid. */
const SPREAD = 0.5;
/** Rounds of EM: further ones changed no interval in its third digit. */
const EM_ROUNDS = 60;
/** Hours below which a gap counts as none. */
export const SHORTEST = 1e-6;

export const GRID = Array.from({ length: RATES }, (_, i) => LOWEST * STEP ** i);

export interface RateFit {
  readonly variance: number;
  /** Log-likelihood of what was seen. */
  readonly log: number;
  /** Per page, the cumulative chance of each rate. */
  readonly rates: readonly Float64Array[];
}

export function ratesGiven(pages: readonly SeenHistory[], variance: number): RateFit {
  const likelihoods = pages.map((page) => likelihoodOf(page, variance));
  let prior = new Float64Array(RATES).fill(1 / RATES);
  for (let round = 0; round < EM_ROUNDS; round++) {
    const next = new Float64Array(RATES).fill(SPREAD / RATES);
    for (const { values } of likelihoods) {
      const sum = dot(prior, values);
      for (let i = 0; i < RATES; i++)
        next[i] = (next[i] as number) + ((prior[i] as number) * (values[i] as number)) / sum;
    }
    prior = next.map((share) => share / (pages.length + SPREAD));
  }
  return {
    variance,
    log: likelihoods.reduce((sum, { most, values }) => sum + most + Math.log(dot(prior, values)), 0),
    rates: likelihoods.map(({ values }) => cumulated(values.map((value, i) => value * (prior[i] as number)))),
  };
}

/** Relative to the largest, so that thousands of gaps do not underflow. */
function likelihoodOf({ gaps }: SeenHistory, variance: number) {
  const logs = Float64Array.from(GRID, (rate) =>
    gaps.reduce((sum, { hours, changed }) => {
      const log = unchangedLog(rate * Math.max(hours, SHORTEST), variance);
      return sum + (changed ? Math.log(-Math.expm1(log)) : log);
    }, 0),
  );
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return { most, values: logs.map((log) => Math.exp(log - most)) };
}

/** ln P(no change) where this many are expected. */
export const unchangedLog = (expected: number, variance: number): number =>
  variance === 0 ? -expected : -Math.log1p(variance * expected) / variance;

export function cumulated(chances: Float64Array): Float64Array {
  let sum = 0;
  const sums = chances.map((chance) => {
    sum += chance;
    return sum;
  });
  return sums.map((value) => value / sum);
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};
