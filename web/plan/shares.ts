import type { PlanAnswer } from '../api.ts';

type Rounds = PlanAnswer['rounds'];

export interface Share {
  readonly kind: string;
  readonly requests: number;
}

/** Of the requests that are planned: how many go to what, the most first. */
export function sharesOf(rounds: Rounds): readonly Share[] {
  const requests = new Map<string, number>();
  const add = (kind: string, cost: number): void => void requests.set(kind, (requests.get(kind) ?? 0) + cost);
  for (const { visits, captures } of rounds) {
    for (const { kind, cost } of visits) add(kind, cost);
    for (const { cost } of captures) add('capture', cost);
  }
  return [...requests]
    .map(([kind, count]) => ({ kind, requests: count }))
    .sort((a, b) => b.requests - a.requests);
}

export const costOf = (rounds: Rounds): number =>
  Math.round(sharesOf(rounds).reduce((sum, { requests }) => sum + requests, 0));
