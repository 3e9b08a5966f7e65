/**
 * Pages known from birth: their rate falls as they age (watch/ages.ts), and their first version, which is
 * entirely new, is one of those that count.
 *
 * The rate of a young page is θ·h(age): h learnt from similar pages, θ ~ Gamma its own part, which visits teach as they teach the
 * rate of any other page (state.ts: `changes` over `hours`, the hours weighted by h).
 */
export interface Youth {
  /** Current h: changes per hour. */
  hazard: number;
  /** Changes that similar pages have over the horizon, after the first version. */
  lifetime: number;
}

/** Importance of a first version: all of it is new. */
export const FIRST_IMPORTANCE = 1;

/**
 * What one later version of mean importance ē adds per page: ē / (1 + N·ē) over the page's N later versions, Poisson of mean m plus
 * the current one; 1/N is replaced by its mean, as in state.ts.
 */
export const youngWorth = (versions: number, importance: number): number =>
  importance / (FIRST_IMPORTANCE + importance * meanVersions(versions));

/** What the first version adds. */
export const firstWorth = (versions: number, importance: number): number =>
  FIRST_IMPORTANCE / (FIRST_IMPORTANCE + importance * versions);

/** m / (1 − e^{−m}): versions of a page that has one at all. */
const meanVersions = (versions: number): number => (versions > 1e-6 ? versions / -Math.expm1(-versions) : 1);
