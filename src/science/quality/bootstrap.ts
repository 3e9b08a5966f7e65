/**
 * Percentile bootstrap (Efron 1979) of a mean. The unit drawn is what varies independently: a site, not a block.
 */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** In [0, 1); seeded by the caller. */
  readonly random: () => number;
  readonly rounds?: number;
  /** Share of resampled means inside the interval. */
  readonly confidence?: number;
}

export function bootstrapMean(values: readonly number[], options: BootstrapOptions): Interval {
  const { random, rounds = 10_000, confidence = 0.95 } = options;
  const n = values.length;
  if (n === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN };
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[Math.floor(random() * n)] as number;
    means[round] = sum / n;
  }
  means.sort();
  const at = (quantile: number): number =>
    means[Math.min(rounds - 1, Math.max(0, Math.round(quantile * (rounds - 1))))] as number;
  return { mean, low: at((1 - confidence) / 2), high: at((1 + confidence) / 2) };
}

/** Mean of a − b over the same units: far narrower than two intervals side by side, since hard units are hard for both. */
export function bootstrapDifference(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions,
): Interval {
  if (a.length !== b.length)
    throw new RangeError(`paired values differ in number: ${a.length} and ${b.length}`);
  return bootstrapMean(
    a.map((value, i) => value - (b[i] as number)),
    options,
  );
}
