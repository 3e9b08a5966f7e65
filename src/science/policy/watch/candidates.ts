/** What is weighed on the scale besides the pages: sources, suspects, site captures. */
import type { PlannedCapture } from '../../../model/watch.ts';
import { worthWords } from '../reason-words.ts';
import { findingWorth } from '../refresh/finders.ts';
import { hoursSince } from '../refresh/policy.ts';
import type { CaptureCandidate } from './captures.ts';
import type { Round } from './round.ts';
import { readingWorth, sourceOf } from './sources.ts';
import { suspectsByValue } from './suspects.ts';
import type { WatchState } from './watch-state.ts';

/** Something other than a page that is weighed on the same scale. */
export interface Candidate {
  /** Value per request. */
  readonly score: number;
  take(round: Round): PlannedCapture | undefined;
}

export const captureCandidate = ({ planned, score }: CaptureCandidate): Candidate => ({
  score,
  take: (round) => {
    if (planned.cost > round.room) return undefined;
    round.pay(planned.cost);
    return planned;
  },
});

/** Readings until which the worth of a source is a guess; and the share of the requests that goes into such readings. */
const GUESSED_READINGS = 6;
export const GUESSED_SHARE = 0.15;

/** Sources that are worth the price. */
export function sourceCandidates(state: WatchState, price: number): Candidate[] {
  return [...state.book.sources]
    .filter((page) => !state.missing.has(page))
    .map((page) => sourceCandidate(state, page, price))
    .filter(({ score }) => score >= price);
}

/** Suspects that are worth the price, best first; no more than can be paid for. */
export function suspectCandidates(state: WatchState, price: number): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { page, value, reason } of suspectsByValue(state)) {
    const score = value / (state.refresh.cost[page] as number);
    if (score < price || candidates.length > state.bank.balance) break;
    candidates.push({
      score,
      take: (round) => {
        round.take(page, 'discover', reason, value);
        return undefined;
      },
    });
  }
  return candidates;
}

/** A source is worth what it shows itself, plus what its news has been worth for other pages. */
function sourceCandidate(state: WatchState, page: number, price: number): Candidate {
  const { refresh, book, hearsay } = state;
  const { url, tells = 'feed' } = book.page(page);
  const cost = refresh.cost[page] as number;
  const changes = refresh.expected[page] as number;
  const stays = refresh.survival[page] as number;
  const lost = changes < 0.01 ? changes / 2 : 1 - (changes * stays) / (1 - stays);
  const own = (refresh.value[page] as number) * (refresh.gain[page] as number) * lost;
  const source = sourceOf(hearsay.sources, url, tells);
  const news = readingWorth(source, refresh.now, price * cost);
  const found = refresh.finders ? findingWorth(refresh.finders, page, hoursSince(refresh, page)) : 0;
  const score = own + (news + found) / cost;
  return {
    score,
    take: (round) => {
      const reason = (): string =>
        `source: ${tells}, its news worth ${worthWords(news)}, pages that it shows ${worthWords(found)}, itself ${worthWords(own * cost)}, at a price of ` +
        `${worthWords(price)} a request`;
      // A source's worth is a guess until it has been read several times: guesses get a share of the requests, and no more.
      const isGuess = source.readings < GUESSED_READINGS;
      if (isGuess && state.saved.sources < cost) return undefined;
      if (round.take(page, 'source', reason, score * cost) && isGuess) state.saved.sources -= cost;
      return undefined;
    },
  };
}
