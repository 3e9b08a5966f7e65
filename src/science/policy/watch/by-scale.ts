/** The part of a round decided by the scale: everything worth the price of the bank, the best first. */
import type { PlannedCapture } from '../../../model/watch.ts';
import { worthWords } from '../reason-words.ts';
import { type AskedPrice, askedPrice, steeredPrice, wholeOf } from '../refresh/bank.ts';
import type { RankedVisits } from '../refresh/policy.ts';
import { hideRoles, showRoles } from './availability.ts';
import {
  type Candidate,
  captureCandidate,
  GUESSED_SHARE,
  sourceCandidates,
  suspectCandidates,
} from './candidates.ts';
import { worthyCaptures } from './captures.ts';
import { DEFAULT_TOGETHER, type PlanInput, type PlanSettings } from './plan-settings.ts';
import type { Round } from './round.ts';
import type { Spending, WatchState } from './watch-state.ts';

export interface Purse {
  readonly earned: number;
  readonly cap: number;
  readonly fixed: number;
  readonly hours: number;
}

/** At or below it everything is worth its price: the budget suffices for all. */
const LEAST_PRICE = 1e-12;
/** Hours over which spending outside the price is averaged: forced pages come in lumps. */
const FIXED_HOURS = 24;

export function byScale(
  round: Round,
  state: WatchState,
  settings: PlanSettings,
  input: PlanInput,
  purse: Purse,
): PlannedCapture[] {
  const { refresh, bank } = state;
  const { policy } = settings;
  const roles = hideRoles(state);
  const room = wholeOf(Math.max(0, bank.balance));
  const asked: AskedPrice = policy.priced ? askedPrice(bank, policy.priced, refresh) : { price: 0 };
  const { price } = asked;
  if (refresh.finders) refresh.finders.price = price;
  const ranked: RankedVisits = policy.priced
    ? policy.priced.rankAt(refresh, { price, room, earned: Math.min(purse.earned, room) })
    : policy.rank(refresh, refresh.now, Math.min(room, Math.ceil(purse.earned)));
  showRoles(state, roles);
  const discovers = settings.shares?.discovery === undefined;
  const suspects = discovers ? suspectCandidates(state, price) : [];
  if (input.between) {
    // A page that was found a moment ago still shows its first version.
    for (const suspect of suspects) suspect.take(round);
    // What can wait for the next round does: otherwise a page that is forced every hour would set the hour for all of them.
    const heard = [...state.hearsay.pending.keys()].filter(
      (page) => (ranked.scores[page] as number) >= price,
    );
    heard.sort((a, b) => (ranked.scores[b] as number) - (ranked.scores[a] as number));
    for (const page of heard)
      round.take(
        page,
        'refresh',
        () =>
          `heard of: worth ${worthWords(ranked.scores[page] as number)}, at a price of ${worthWords(price)}`,
      );
    // The hours are counted with the full round, which plans for all of them.
    const spent = round.spent - purse.fixed;
    if (policy.priced) steer(state, asked, { ...purse, explored: 0, spent, hours: 0 }, true);
    return [];
  }
  const aside = ranked.aside ?? 0;
  // A page never read is less known than any that is explored; and crawlers without a price take new pages first.
  if (aside > 0 || !policy.priced) for (const suspect of suspects) suspect.take(round);
  const before = round.spent;
  for (let place = 0; place < aside; place++)
    round.take(ranked.pages[place] as number, 'refresh', () => ranked.reason(place));
  const explored = round.spent - before;
  const others = [
    ...suspects,
    ...sourceCandidates(state, price),
    ...worthyCaptures(state, settings.together ?? DEFAULT_TOGETHER, price, input).map(captureCandidate),
  ];
  state.saved.sources = Math.min(
    Math.max(1, GUESSED_SHARE * purse.cap),
    state.saved.sources + GUESSED_SHARE * purse.earned,
  );
  const planned = mergeByScore(round, ranked, aside, others);
  const spent = round.spent - purse.fixed - explored;
  useOrLose(round, state, settings, purse);
  if (policy.priced) steer(state, asked, { ...purse, explored, spent }, false);
  return planned;
}

/** What of the next round's earnings a full bank could not hold is spent now on the best pages, whatever the price. */
function useOrLose(round: Round, state: WatchState, { policy }: PlanSettings, { cap, earned }: Purse): void {
  const lost = wholeOf(state.bank.balance + earned - cap);
  if (!(lost >= 1) || !policy.priced) return;
  const roles = hideRoles(state);
  const more = policy.priced.rankAt(state.refresh, { price: 0, room: lost + round.visits.length, earned: 0 });
  showRoles(state, roles);
  let taken = 0;
  for (let place = 0; place < more.pages.length && taken < lost; place++) {
    const page = more.pages[place] as number;
    if (round.take(page, 'refresh', () => `${more.reason(place)}; the bank is full`)) taken++;
  }
}

/** Both lists are in descending order: pages as ranked, others by their score. */
function mergeByScore(
  round: Round,
  ranked: RankedVisits,
  from: number,
  others: readonly Candidate[],
): PlannedCapture[] {
  const rest = others.toSorted((a, b) => b.score - a.score);
  const captures: PlannedCapture[] = [];
  let next = 0;
  const takeOthers = (above: number): void => {
    for (let other = rest[next]; other && other.score >= above; other = rest[++next]) {
      const capture = other.take(round);
      if (capture) captures.push(capture);
    }
  };
  for (let place = from; place < ranked.pages.length; place++) {
    const page = ranked.pages[place] as number;
    takeOthers(ranked.scores[page] as number);
    round.take(page, 'refresh', () => ranked.reason(place));
  }
  takeOthers(-1);
  return captures;
}

/** Spending is counted up to the end of a full round: rounds in between are too short to steer by. */
function steer(
  state: WatchState,
  asked: AskedPrice,
  more: Omit<Spending, 'hours'> & Purse,
  between: boolean,
): void {
  const { bank, refresh } = state;
  const { unsteered } = state;
  for (const name of ['spent', 'explored', 'fixed', 'hours'] as const) unsteered[name] += more[name];
  if (between) {
    state.bank = { balance: bank.balance, ...asked };
    return;
  }
  const { spent, explored, fixed, hours } = unsteered;
  state.unsteered = { spent: 0, explored: 0, fixed: 0, hours: 0 };
  // An exponential mean: what a round spends on fixed visits is smoothed over a day.
  const keep = Math.exp(-hours / FIXED_HOURS);
  if (hours > 0) state.fixedPace = state.fixedPace * keep + (fixed / hours) * (1 - keep);
  const pace = (refresh.pace - state.fixedPace) * hours - explored;
  if (!(pace > 0)) return;
  const fullness = bank.balance / more.cap;
  const steered = steeredPrice(asked.price, { spent, pace, fullness, hours });
  state.bank = {
    ...asked,
    balance: bank.balance,
    price: Math.max(LEAST_PRICE, steered),
  };
}
