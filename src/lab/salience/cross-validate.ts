/** Salience of changes with weights that have seen neither of their pages. */
import { combine } from '../../science/delta/salience/combine.ts';
import type { SalienceWeights } from '../../science/delta/salience/salience-weights.ts';
import { hashKeys } from '../newspaper/random.ts';
import { agrees, type DecidedPair, siteOf } from './agreement.ts';
import { fitSalience } from './fit-salience.ts';

/** For each pair, whether salience agrees. A pair from two folds is judged by weights fitted on the rest without both. */
export function crossValidated(pairs: readonly DecidedPair[], folds: number, seed: string): number[] {
  const foldOf = foldsOf(pairs, folds, seed);
  const placed = pairs.map(({ winner, loser }) =>
    [foldOf(winner.page), foldOf(loser.page)].sort((a, b) => a - b),
  );
  const fitted = new Map<string, SalienceWeights>();
  return pairs.map((pair, i) => {
    const left = placed[i] as number[];
    const key = [...new Set(left)].join(' ');
    let weights = fitted.get(key);
    if (!weights) {
      const rest = pairs.filter((_, j) => !(placed[j] as number[]).some((fold) => left.includes(fold)));
      weights = fitSalience(
        rest.map(({ winner, loser }) => ({ winner: winner.findings, loser: loser.findings })),
      );
      fitted.set(key, weights);
    }
    return agreesBy(pair, weights);
  });
}

export const agreesBy = ({ winner, loser }: DecidedPair, weights: SalienceWeights): number =>
  agrees(combine(winner.findings, weights).salience, combine(loser.findings, weights).salience);

/** Sites in an order that the seed determines, dealt out one by one. */
function foldsOf(pairs: readonly DecidedPair[], folds: number, seed: string): (page: string) => number {
  const sites = [...new Set(pairs.flatMap(({ winner, loser }) => [siteOf(winner.page), siteOf(loser.page)]))];
  sites.sort((a, b) => hashKeys([seed, a]) - hashKeys([seed, b]));
  const fold = new Map(sites.map((site, i) => [site, i % folds]));
  return (page) => fold.get(siteOf(page)) as number;
}
