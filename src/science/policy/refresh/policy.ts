/**
 * One interface for every refresh policy: `(state, now, budget) → ranked visits with reasons`. A policy reads the state
 * and writes nothing, and the same state gives the same visits, in the crawler and in the lab (except for `priced-gain`,
 * whose plans hold for a day).
 */
import type { Seconds } from '../../../model/time.ts';
import { topPages } from './select.ts';
import { AVAILABILITY, advance, type RefreshState } from './state.ts';

export interface RankedVisits {
  /** Page numbers, most urgent first; no more than the budget. */
  readonly pages: Int32Array;
  /** By page number. */
  readonly scores: Float32Array;
  /** Why the page at this place is visited: stored with the visit. Made on demand: a tick may rank 100,000. */
  reason(place: number): string;
  /** How many of them, from the front, were chosen regardless of the price; none if absent. */
  readonly aside?: number;
}

export interface RefreshPolicy {
  readonly name: string;
  /** @param budget visits; 0 gives none, more than there are pages gives each once. */
  rank(state: RefreshState, now: Seconds, budget: number): RankedVisits;
  /** For policies that can say what a visit is worth: ranking for a banked budget (bank.ts). */
  readonly priced?: PricedRanking;
}

export interface PricedRanking {
  /** The price at which the pages, as currently known, would spend the pace of the state. */
  startingPrice(state: RefreshState): number;
  /** The visits worth the price at `state.now`, best first. */
  rankAt(state: RefreshState, offer: Offer): RankedVisits;
}

export interface Offer {
  readonly price: number;
  /** Largest number of visits that may be made. */
  readonly room: number;
  /** Visits that the round earned: exploration gets its share of these. */
  readonly earned: number;
}

/** Fills in one score per page; a page without a claim keeps 0 and comes last. */
export type Score = (state: RefreshState, now: Seconds, scores: Float32Array) => void;

export type Reason = (state: RefreshState, page: number, score: number) => string;

export function scoredPolicy(name: string, score: Score, reason: Reason): RefreshPolicy {
  return {
    name,
    rank: (state, now, budget) => {
      if (now !== state.now)
        throw new RangeError(`the state stands at ${state.now}: advance it to ${now} first`);
      if (!(budget >= 0)) throw new RangeError(`a budget is 0 visits or more, not ${budget}`);
      const scores = new Float32Array(state.size);
      score(state, now, scores);
      return bestPages(
        state,
        scores,
        budget,
        (page) => `${name}: ${reason(state, page, scores[page] as number)}`,
      );
    },
  };
}

/** The open pages with the highest scores; those below 0 are never taken. */
export function bestPages(
  state: RefreshState,
  scores: Float32Array,
  budget: number,
  reason: (page: number) => string,
): RankedVisits {
  for (let page = 0; page < state.size; page++)
    if (state.alive[page] !== AVAILABILITY.open) scores[page] = -1;
  const pages = topPages(scores, budget);
  return {
    pages,
    scores,
    reason: (place) => {
      const page = pages[place];
      if (page === undefined) throw new RangeError(`no visit at place ${place}`);
      return reason(page);
    },
  };
}

/** One tick: time passes, then the policy decides. */
export function tick(state: RefreshState, policy: RefreshPolicy, now: Seconds, budget: number): RankedVisits {
  advance(state, now);
  return policy.rank(state, now, budget);
}

export const hoursSince = (state: RefreshState, page: number): number =>
  (state.now - (state.lastVisit[page] as number)) / 3600;
