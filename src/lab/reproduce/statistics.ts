export const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson's, over positions where both are known; NaN if one of them does not vary. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const both = Array.from({ length: a.length }, (_, k) => [a[k] as number, b[k] as number] as const).filter(
    ([x, y]) => !Number.isNaN(x) && !Number.isNaN(y),
  );
  const [ma, mb] = [mean(both.map(([x]) => x)), mean(both.map(([, y]) => y))];
  const product = (f: (x: number, y: number) => number): number =>
    both.reduce((sum, [x, y]) => sum + f(x - ma, y - mb), 0);
  return product((x, y) => x * y) / Math.sqrt(product((x) => x * x) * product((_, y) => y * y));
}
