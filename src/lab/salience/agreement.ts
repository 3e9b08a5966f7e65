/** How often a score ranks first the change that the judge would rather be told about. */

import { bootstrapRatio, type ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { JudgedComparison } from '../judged/judged-changes.ts';
import { nameOf } from '../judged/judged-changes.ts';
import { stream } from '../newspaper/random.ts';
import type { JudgedFacts } from './change-facts.ts';

/** A decided comparison; ties are excluded. */
export interface DecidedPair {
  readonly winner: JudgedFacts;
  readonly loser: JudgedFacts;
  readonly styled: boolean;
}

export function decidedPairs(
  comparisons: readonly JudgedComparison[],
  facts: ReadonlyMap<string, JudgedFacts>,
): DecidedPair[] {
  return comparisons.flatMap(({ a, b, judgement, styled }) => {
    const [first, second] = [facts.get(nameOf(a.change)), facts.get(nameOf(b.change))];
    if (judgement === 'tie' || !first || !second) return [];
    const [winner, loser] = judgement === 'a' ? [first, second] : [second, first];
    return [{ winner, loser, styled }];
  });
}

/** 1 if the score agrees, 0 if it does not, a half if it cannot tell. */
export const agrees = (winner: number, loser: number): number =>
  winner > loser ? 1 : winner < loser ? 0 : 0.5;

/** gmx.net and web.de are one newsroom. */
export const siteOf = (page: string): string => (/gmx\.net|web\.de/u.test(page) ? 'gmx.net, web.de' : page);

/** Resamples sites, not comparisons: those of one site are hard or easy together. */
export function agreement(
  pairs: readonly DecidedPair[],
  agreed: readonly number[],
  seed: string,
): ConfidenceInterval {
  const sites = new Map<string, { agreed: number; all: number }>();
  pairs.forEach(({ winner }, i) => {
    const site = sites.get(siteOf(winner.page)) ?? { agreed: 0, all: 0 };
    sites.set(siteOf(winner.page), { agreed: site.agreed + (agreed[i] as number), all: site.all + 1 });
  });
  const units = [...sites.values()];
  return bootstrapRatio(
    units.map((unit) => unit.agreed),
    units.map((unit) => unit.all),
    { random: stream(seed, 'agreement').next },
  );
}
