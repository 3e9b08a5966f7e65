/** How values are distributed, as far as a table has room. */
export interface Spread {
  readonly count: number;
  readonly minimum: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly maximum: number;
  /** Share of values that are exactly 0. */
  readonly zeroShare: number;
}

/** Undefined if there are no values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  return {
    count: sorted.length,
    minimum: quantile(sorted, 0),
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    maximum: quantile(sorted, 1),
    zeroShare: values.filter((value) => value === 0).length / values.length,
  };
}

/** Interpolates between the two values around it (Hyndman and Fan's type 7, as in R and NumPy). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}
