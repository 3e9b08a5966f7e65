/** Pages of a mirror that were compared with those of its origin, and how many of them agreed. */
export interface ComparedSample {
  readonly compared: number;
  readonly agreeing: number;
}

/**
 * What a sample says of pages that were not visited. A priori every share of differing pages is equally likely, so
 * that afterwards the share is Beta(differing + 1, agreeing + 1), and the number among the others beta-binomial:
 *
 *   pages expected to differ   pages · (differing + 1) / (compared + 2)           Laplace's rule of succession
 *   chance that none does      Π (agreeing + 1 + i) / (compared + 2 + i), i < pages
 *
 * A sample that agrees completely proves nothing about the others: 17 of 17 leave 1 in 19.
 */
export function unvisitedInMirror(
  { compared, agreeing }: ComparedSample,
  pages: number,
): { readonly expectedMissed: number; readonly confidence: number } {
  let confidence = 1;
  for (let i = 0; i < pages; i++) confidence *= (agreeing + 1 + i) / (compared + 2 + i);
  return { expectedMissed: (pages * (compared - agreeing + 1)) / (compared + 2), confidence };
}
