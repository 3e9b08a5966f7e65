/** How far two rankings of the same pages agree, whether by people or by measures. */
import { countPairs, kendall } from '../rates/kendall.ts';
import { rankCorrelation } from '../rates/rank-correlation.ts';

export interface RankAgreement {
  readonly pages: number;
  /** Kendall's τ_b: ties count for neither side. */
  readonly kendall: number;
  /** Its standard error, by leaving out each page in turn; 0 for fewer than three pages. */
  readonly error: number;
  readonly spearman: number;
  /** Of the pairs that both sides order, the share that they order the same way; null where there are none. */
  readonly agreed: number | null;
}

/** Values of the same pages on both sides, on any scale; only their order counts. */
export function rankAgreement(a: ArrayLike<number>, b: ArrayLike<number>): RankAgreement {
  const { agreeing, opposed } = countPairs(a, b);
  return {
    pages: a.length,
    kendall: kendall(a, b),
    error: jackknife(a, b),
    spearman: rankCorrelation(a, b),
    agreed: agreeing + opposed > 0 ? agreeing / (agreeing + opposed) : null,
  };
}

/** With more pages than this, the error is estimated from this many of them, evenly chosen: it costs one τ for each. */
const LEFT_OUT_AT_MOST = 200;

function jackknife(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const n = a.length;
  if (n < 3) return 0;
  const rounds = Math.min(n, LEFT_OUT_AT_MOST);
  const without = (values: ArrayLike<number>, page: number): number[] =>
    Array.from({ length: n - 1 }, (_, i) => values[i < page ? i : i + 1] as number);
  const left = Array.from({ length: rounds }, (_, k) => {
    const page = Math.floor((k * n) / rounds);
    return kendall(without(a, page), without(b, page));
  });
  const mean = left.reduce((sum, value) => sum + value, 0) / rounds;
  const spread = left.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rounds;
  return Math.sqrt((n - 1) * spread);
}
