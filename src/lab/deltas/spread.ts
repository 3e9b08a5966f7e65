/** How values lie: what a table has room for. */
export interface Spread {
  readonly count: number;
  readonly minimum: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly maximum: number;
  /** Of values that are exactly 0. */
  readonly zeroShare: number;
}

/** Undefined of nothing. */
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

/** Between two values, by where it falls (Hyndman and Fan's type 7, as R and NumPy have it). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}
