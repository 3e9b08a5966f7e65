/**
 * The paper's synthetic site (SHARC 2009, §8): rates 1/i^skew, a tree of fixed outdegree with the hottest pages on
 * the top levels, changes drawn from Poisson processes. Defaults: 1,024 pages, skew 1.75, outdegree 8.
 *
 * Times are in delays (Δ = 1). `scale` multiplies all rates: Table 4 needs about 6 to give the paper's figures.
 */
import { olstonPandeyUtility } from '../../science/sharpness/online-order.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { stream } from '../newspaper/random.ts';

export interface SyntheticSiteOptions {
  readonly pages?: number;
  readonly skew?: number;
  readonly outdegree?: number;
  readonly scale?: number;
  readonly seed?: number;
}

export const SYNTHETIC = { pages: 1_024, skew: 1.75, outdegree: 8, scale: 1, seed: 1 } as const;

/** Page k is the (k+1)-th hottest and links to pages k·outdegree + 1 … k·outdegree + outdegree. */
export function syntheticSite(options: SyntheticSiteOptions = {}): SiteToCapture {
  const { pages, skew, outdegree, scale } = { ...SYNTHETIC, ...options };
  return {
    rates: Float64Array.from({ length: pages }, (_, k) => scale / (k + 1) ** skew),
    delay: 1,
    seeds: pages > 0 ? [0] : [],
    links: (page) =>
      Array.from({ length: outdegree }, (_, k) => page * outdegree + 1 + k).filter((child) => child < pages),
  };
}

/** Change times of each page in [from, to], ascending. */
export function drawChanges(
  rates: ArrayLike<number>,
  [from, to]: readonly [number, number],
  ...keys: readonly (string | number)[]
): Float64Array[] {
  return Array.from({ length: rates.length }, (_, page) => {
    const rate = rates[page] as number;
    const times: number[] = [];
    if (rate > 0) {
      const random = stream('changes', page, ...keys);
      for (let t = from + random.delay(1 / rate); t <= to; t += random.delay(1 / rate)) times.push(t);
    }
    return Float64Array.from(times);
  });
}

/** Utilities after Olston and Pandey, from an interval of the same length before the capture. */
export function drawUtilities(rates: ArrayLike<number>, length: number, seed: number): Float64Array {
  return Float64Array.from(drawChanges(rates, [0, length], 'before', seed), (times) =>
    olstonPandeyUtility(times, 0, length),
  );
}
