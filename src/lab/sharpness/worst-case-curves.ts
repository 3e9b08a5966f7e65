/** Fig. 6 and Example 6.1 of SHARC 2009: what k misplaced downloads cost at worst. */
import { type WorstCase, worstCase } from '../../science/sharpness/worst-case.ts';

export interface WorstCaseCurve {
  readonly label: string;
  readonly points: readonly {
    readonly misplaced: number;
    readonly increase: number;
    readonly relative: number;
  }[];
}

/** λ_{2i−1} = λ_{2i} = 100/i^skew. */
export const pairedRates = (pages: number, skew: number): number[] =>
  Array.from({ length: pages }, (_, k) => 100 / (Math.floor(k / 2) + 1) ** skew).sort((a, b) => a - b);

/** Fig. 6(a): by skew, at 100 pages. */
export function figure6a(skews: readonly number[] = [0.5, 1, 1.5, 2, 2.5], pages = 100): WorstCaseCurve[] {
  return skews.map((skew) => curve(`skew ${skew}`, pairedRates(pages, skew), steps(pages, 2)));
}

/** Fig. 6(b): by size, misplacing the same shares of the pages. */
export function figure6b(sizes: readonly number[] = [10, 100, 1_000], skew = 1): WorstCaseCurve[] {
  return sizes.map((pages) =>
    curve(`${pages} pages`, pairedRates(pages, skew), steps(pages, Math.max(2, pages / 50))),
  );
}

/** Example 6.1 with its erratum: 755, 931, +176; the paper prints +145. */
export const example61 = (): WorstCase => worstCase([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], 4);

const steps = (pages: number, step: number): number[] =>
  Array.from({ length: Math.floor(pages / step) + 1 }, (_, i) => 2 * Math.round((i * step) / 2));

function curve(label: string, rates: readonly number[], misplaced: readonly number[]): WorstCaseCurve {
  return {
    label,
    points: misplaced.map((k) => {
      const { increase, offline } = worstCase(rates, k);
      return { misplaced: k, increase, relative: increase / offline };
    }),
  };
}
