/**
 * Percentile bootstrap (Efron 1979) of a mean. The unit drawn is what varies independently: a site, not a block.
 */
export interface ConfidenceInterval {
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

export function bootstrapMean(values: readonly number[], options: BootstrapOptions): ConfidenceInterval {
  const n = values.length;
  if (n === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN };
  const sum = (pick: (i: number) => number): number => {
    let total = 0;
    for (let i = 0; i < n; i++) total += values[pick(i)] as number;
    return total;
  };
  return interval(n, (pick) => sum(pick) / n, options);
}

/** A statistic over all units, and the range in which it lies when units are resampled. */
function interval(
  n: number,
  statistic: (pick: (i: number) => number) => number,
  { random, rounds = 10_000, confidence = 0.95 }: BootstrapOptions,
): ConfidenceInterval {
  const drawn = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) drawn[round] = statistic(() => Math.floor(random() * n));
  drawn.sort();
  const at = (quantile: number): number =>
    drawn[Math.min(rounds - 1, Math.max(0, Math.round(quantile * (rounds - 1))))] as number;
  return { mean: statistic((i) => i), low: at((1 - confidence) / 2), high: at((1 + confidence) / 2) };
}

/**
 * Σa / Σb over the same units, `mean` being that over all of them: how many times as good a is, or a share whose total
 * varies from unit to unit. Each unit is drawn with both its values.
 */
export function bootstrapRatio(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions,
): ConfidenceInterval {
  requirePaired(a, b);
  return interval(
    a.length,
    (pick) => {
      let above = 0;
      let below = 0;
      for (let i = 0; i < a.length; i++) {
        const unit = pick(i);
        above += a[unit] as number;
        below += b[unit] as number;
      }
      return above / below;
    },
    options,
  );
}

/** Mean of a − b over the same units: far narrower than two separate intervals, since hard units are hard for both. */
export function bootstrapDifference(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions,
): ConfidenceInterval {
  requirePaired(a, b);
  return bootstrapMean(
    a.map((value, i) => value - (b[i] as number)),
    options,
  );
}

function requirePaired(a: readonly number[], b: readonly number[]): void {
  if (a.length !== b.length)
    throw new RangeError(`paired values differ in number: ${a.length} and ${b.length}`);
}
