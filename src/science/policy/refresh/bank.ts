/**
 * A banked budget: visits that are earned and not made are kept, so that one price holds day and night.
 *
 * With a fixed M visits an hour, the last visit of a quiet hour is worth less than the first that a busy hour
 * turns away. A bank evens that out:
 *
 *   balance   grows by what a round earns, up to `hours` of the pace: anything above is lost, so that a long silence cannot
 *             end in a storm
 *   price     pages worth at least the price are visited, the best first, never more than the balance holds
 *
 * The price is steered in logarithms: up when a round spends more than it earns, down when it spends less, and a little
 * towards the level at which the bank is meant to stand. So spending follows the pace in the long run, whatever the
 * scale of the scores. Visits outside the price (exploration) are paid from the balance, but do not move the price.
 *
 * Where nothing is known at the start, rates begin as guesses and fall within hours to a tenth, faster than such steps. So a price
 * that was first set after a survey is also scaled with the price of a steady rhythm given what is known now; steps do the rest.
 *
 * A bank is plain data: stored as JSON and read back, it continues as it was. The same bank and state give the same visits.
 */
import type { PricedRanking, RankedVisits, RefreshPolicy } from './policy.ts';
import type { RefreshState } from './state.ts';

export interface Bank {
  /** In visits. */
  readonly balance: number;
  /** Null until the first round that asks for a price. */
  readonly price: number | null;
  /** The steady rhythm's price when the price was last set; absent where everything was known at the start. */
  readonly steady?: number;
}

export const EMPTY_BANK: Bank = { balance: 0, price: null };

/**
 * Chosen on four windows of the German news of 2022, at 10 % an hour: 24 to 48 hours and steps of 0.003 to 0.03 are within
 * 0.005 of each other. Not the smallest step, although it was best by 0.002: the price must follow when pages are added or die.
 */
export const BANK = {
  /** Hours of the pace that the bank can hold. */
  hours: 24,
  /** Share of that at which it is meant to stand. */
  level: 0.25,
  /** Largest change per hour of the logarithm of the price: by what was spent, and by how full the bank is. */
  step: 0.01,
  pull: 0.003,
} as const;

export interface BankedRound {
  readonly bank: Bank;
  readonly visits: RankedVisits;
}

/**
 * One round at `state.now`. A policy without a price spends what the round earns, and needs no bank.
 * @param earned visits that this round adds; fractions are carried over
 */
export function bankedRound(
  bank: Bank,
  state: RefreshState,
  policy: RefreshPolicy,
  earned: number,
): BankedRound {
  const { cap, balance } = deposit(bank, earned, state.pace);
  const room = wholeOf(balance);
  const { priced } = policy;
  if (!priced) {
    const visits = policy.rank(state, state.now, Math.min(room, Math.ceil(earned)));
    return { bank: { ...bank, balance: Math.max(0, balance - visits.pages.length) }, visits };
  }
  const asked = askedPrice(bank, priced, state);
  const visits = priced.rankAt(state, { price: asked.price, room, earned });
  const left = Math.max(0, balance - visits.pages.length);
  const aside = visits.aside ?? 0;
  const pace = state.pace * state.round - aside;
  // All visits were outside the price: nothing was learned about it, and the price to begin with may still change.
  if (!(pace > 0)) return { bank: { ...bank, balance: left }, visits };
  const spent = visits.pages.length - aside;
  const steered = steeredPrice(asked.price, { spent, pace, fullness: left / cap, hours: state.round });
  return { bank: { balance: left, ...asked, price: steered }, visits };
}

export type AskedPrice = { readonly price: number } & Pick<Bank, 'steady'>;

/** The price of this round. */
export function askedPrice(bank: Bank, priced: PricedRanking, state: RefreshState): AskedPrice {
  if (bank.price !== null && bank.steady === undefined) return { price: bank.price };
  const steady = priced.startingPrice(state);
  if (bank.price === null) return { price: steady, ...(wasSurveyed(state) && { steady }) };
  return { price: (bank.price * steady) / (bank.steady ?? steady), steady };
}

/** Visits came before the first price: there had been guesses to check. */
const wasSurveyed = ({ sweeps, size }: RefreshState): boolean =>
  sweeps.subarray(0, size).some((visits) => visits > 0);

/** Adds what a round earns to the bank, as far as there is room. */
export function deposit(
  bank: Pick<Bank, 'balance'>,
  earned: number,
  pace: number,
): { readonly cap: number; readonly balance: number } {
  if (!(earned >= 0 && earned < Infinity))
    throw new RangeError(`a round earns 0 visits or more, not ${earned}`);
  const cap = Math.max(1, earned, BANK.hours * pace);
  return { cap, balance: Math.min(cap, bank.balance + earned) };
}

/** Sums of fractions fall a little short of whole numbers. */
export const wholeOf = (balance: number): number => Math.floor(balance + 1e-9);

export interface PricedSpending {
  /** In one round: spent at the price, and what there was to spend at it. */
  readonly spent: number;
  readonly pace: number;
  /** Of the bank, after the round. */
  readonly fullness: number;
  readonly hours: number;
}

export function steeredPrice(price: number, { spent, pace, fullness, hours }: PricedSpending): number {
  const change = BANK.step * clip(spent / pace - 1) - BANK.pull * (fullness - BANK.level);
  return price * Math.exp(hours * change);
}

const clip = (value: number): number => Math.max(-1, Math.min(1, value));
