/**
 * Several scores of a page as one (French web 2002, § 3.3: "another difficulty is to combine the criteria"): a weighted sum
 * of the scores, each first brought to a common scale. Importance by links and by words falls off as a power law, so scores
 * are taken as logarithms; and each is counted in its own standard deviations around its mean, so that a weight of 1 means
 * the same for all. Weights come from people, or from `fitRanking`.
 */
export interface CombinedScore {
  readonly weight: number;
  /** Of the score as returned by `onLogScale`, over the pages it was learnt from. */
  readonly mean: number;
  /** Standard deviation; 1 where the score never varies. */
  readonly scale: number;
}

/** One per score, in their order. */
export type Combination = readonly CombinedScore[];

/** ln of each value. 0 or less counts as half the smallest positive value: no link at all is a little worse than the fewest. */
export function onLogScale(values: ArrayLike<number>): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value > 0 && value < least) least = value;
  }
  const floor = Math.log((least < Number.POSITIVE_INFINITY ? least : 1) / 2);
  return Float64Array.from(values, (value) => (value > 0 ? Math.log(value) : floor));
}

/** `scores[j][i]` is the j-th score of page i. */
export function combination(scores: readonly ArrayLike<number>[], weights: readonly number[]): Combination {
  return scores.map((values, j) => {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < values.length; i++) sum += values[i] as number;
    const mean = values.length > 0 ? sum / values.length : 0;
    for (let i = 0; i < values.length; i++) squares += ((values[i] as number) - mean) ** 2;
    const scale = Math.sqrt(squares / Math.max(1, values.length));
    // Rounding alone makes a constant vary a little.
    const varies = scale > 1e-12 * Math.max(1, Math.abs(mean));
    return { weight: weights[j] as number, mean, scale: varies ? scale : 1 };
  });
}

/** The scores of one page in standard deviations. */
export const standardised = (scores: ArrayLike<number>, scale: Combination): number[] =>
  scale.map(({ mean, scale: deviation }, j) => ((scores[j] as number) - mean) / deviation);

/** One number per page; higher is more important. */
export const combined = (scores: ArrayLike<number>, by: Combination): number =>
  standardised(scores, by).reduce((sum, value, j) => sum + value * (by[j] as CombinedScore).weight, 0);
