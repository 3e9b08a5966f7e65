import type { DirectoryFeatures } from './change-features.ts';

/**
 * How the changes of the next version will be spread over the directories of a site: a conditional logit (McFadden 1974).
 * Given that a page of the site changed, the chance that it lies in directory d is
 *
 *   s_d = n_d · g_d · exp(β · x_d) / Σ_e n_e · g_e · exp(β · x_e)
 *
 *   n_d   own pages                                      `pages`
 *   g_d   transitions since the last observation of them        `spans`
 *   x_d   the features of its past (change-features.ts)  `rows`
 *   β     the coefficients, one for each of FEATURES
 *
 * The shares add up to 1, so those of the directories left out add up to the share of changes that is missed: exactly the
 * quantity that the budget limits. A model of whether each directory changes would need a second one of how much.
 *
 * β was fitted on the nine public histories named in docs/directories-study.md, each with equal weight
 * (`daguerre lab skips` prints it); for whatever that study says of a site, β was fitted on the other eight.
 */
export type ChangeCoefficients = readonly number[];

export const CHANGE_COEFFICIENTS: ChangeCoefficients = [
  0.3346, 0.1488, 0.2624, 0.107, 0.8967, -0.1877, -0.3595, 0.1214, 0.5986, 0.2256,
];

/** s_d of each directory. */
export function changeShares(
  { pages, spans, rows }: DirectoryFeatures,
  coefficients: ChangeCoefficients,
): Float64Array {
  const logs = Float64Array.from(rows, (row, i) => {
    let sum = Math.log((pages[i] as number) * (spans[i] as number));
    for (let j = 0; j < row.length; j++) sum += (row[j] as number) * (coefficients[j] as number);
    return sum;
  });
  const highest = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  // If no directory was looked at, there is nothing to spread.
  if (highest === Number.NEGATIVE_INFINITY) return logs.fill(0);
  const weights = logs.map((log) => Math.exp(log - highest));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}
