/**
 * What the archive does next, on one scale: expected importance newly captured per request.
 *
 *   0. pinged     pages that were never read, are gone or fail, and that somebody says have changed
 *   1. forced     pages that people want at least this often, the most overdue first
 *   2. floor      every page at least this often
 *      gone       pages that are gone, ever more rarely: they may be back
 *   3. audit      a small share on pages drawn by lot, visited round after round: what the others miss
 *   4. shares     the part that discovery is given, where it is given one
 *   5. captures   of whole sites that are due
 *   6. the scale  unknown pages that are explored, then pages, sources, suspects and site captures by value per request, each if
 *                 it is worth the price of the bank (refresh/bank.ts)
 *
 * 0 to 5 are paid first and do not move the price. Nothing exceeds what is in the bank; a budget of 0 plans nothing. Pages
 * of sites that rest (their window is closed, they are being captured, their own budget is spent) are excluded throughout.
 *
 * Pure but for the state, in which time passes and planned visits are paid for. Cost: a few passes over the pages.
 */
import type { PlannedCapture, PlannedVisit, WatchBudget } from '../../../model/watch.ts';
import { BANK, deposit, wholeOf } from '../refresh/bank.ts';
import { advance } from '../refresh/state.ts';
import { auditVisits } from './audit.ts';
import { settleAvailability } from './availability.ts';
import { byScale } from './by-scale.ts';
import { dueCaptures } from './captures.ts';
import { older, overdue } from './fixed-visits.ts';
import { borrowFromKin } from './kin-rates.ts';
import { missingFrom, missingVisits } from './missing.ts';
import { pingedVisits } from './pinged.ts';
import { DEFAULT_AUDIT, type PlanInput, type PlanSettings } from './plan-settings.ts';
import { Round } from './round.ts';
import { suspectsByValue } from './suspects.ts';
import type { WatchState } from './watch-state.ts';
import { ageAll } from './youth.ts';

export interface PlannedRound {
  /** The most urgent first. */
  readonly visits: readonly PlannedVisit[];
  readonly captures: readonly PlannedCapture[];
}

export function plan(state: WatchState, settings: PlanSettings, input: PlanInput): PlannedRound {
  const now = input.now / 1000;
  const { refresh } = state;
  if (now > refresh.now) advance(refresh, now);
  else if (now < refresh.now) setBack(state, now);
  const hours = Math.min(BANK.hours, Math.max(0, refresh.now - state.plannedAt) / 3600);
  state.plannedAt = refresh.now;
  state.rounds++;
  const { requestsPerHour: pace } = settings.budget;
  refresh.pace = pace;
  earnBytes(state, settings.budget, hours);
  if (!(pace > 0)) return NOTHING;
  const earned = wholeOf(state.carry + pace * hours);
  state.carry = Math.max(0, state.carry + pace * hours - earned);
  const { cap, balance } = deposit(state.bank, earned, pace);
  state.bank = { ...state.bank, balance };
  const sinceRound = { earned: state.sinceRound.earned + earned, hours: state.sinceRound.hours + hours };
  state.sinceRound = input.between ? sinceRound : { earned: 0, hours: 0 };
  if (state.bytesLeft !== undefined && state.bytesLeft <= 0) return NOTHING;
  settleAvailability(state, settings, input, hours);
  if (settings.policy.priced) {
    ageAll(state);
    borrowFromKin(state);
  }
  const round = new Round(state, sinceRound.earned);
  const captures = fixedVisits(round, state, settings, input, sinceRound.earned);
  const fixed = round.spent;
  const worthy = byScale(round, state, settings, input, { ...sinceRound, cap, fixed });
  return withoutCaptured(state, { visits: round.visits, captures: [...captures, ...worthy] });
}

/** A capture visits all pages of its site: none of them is visited separately as well. */
function withoutCaptured(state: WatchState, { visits, captures }: PlannedRound): PlannedRound {
  if (captures.length === 0) return { visits, captures };
  const sites = new Set(captures.map(({ site }) => site));
  const isApart = ({ url }: PlannedVisit): boolean => {
    const page = state.book.numberOf(url);
    return page === undefined || !sites.has(state.book.page(page).site);
  };
  const back = visits.reduce((sum, visit) => sum + (isApart(visit) ? 0 : visit.cost), 0);
  state.bank = { ...state.bank, balance: state.bank.balance + back };
  return { visits: visits.filter(isApart), captures };
}

/** The clock was set back: visits dated in the future count as made now. Gains stay. */
function setBack(state: WatchState, now: number): void {
  const { refresh } = state;
  refresh.now = now;
  state.plannedAt = Math.min(state.plannedAt, now);
  for (let page = 0; page < refresh.size; page++)
    refresh.lastVisit[page] = Math.min(refresh.lastVisit[page] as number, now);
  for (const source of state.hearsay.sources.byName.values())
    if (source.readAt !== undefined) source.readAt = Math.min(source.readAt, now);
  for (const [page, { times }] of state.failing) state.failing.set(page, { until: now, times });
  for (const [page, { since }] of state.missing)
    state.missing.set(page, missingFrom(state, page, Math.min(since, now)));
}

const NOTHING: PlannedRound = { visits: [], captures: [] };

function earnBytes(state: WatchState, { bytesPerDay }: WatchBudget, hours: number): void {
  if (bytesPerDay === undefined) state.bytesLeft = undefined;
  else state.bytesLeft = Math.min(bytesPerDay, (state.bytesLeft ?? bytesPerDay) + (bytesPerDay * hours) / 24);
}

function fixedVisits(
  round: Round,
  state: WatchState,
  settings: PlanSettings,
  input: PlanInput,
  earned: number,
): PlannedCapture[] {
  pingedVisits(round, state);
  for (const { page, reason } of overdue(state))
    if (!round.take(page, 'forced', reason) && round.room < 1) break;
  if (input.between) return [];
  if (settings.floor !== undefined)
    for (const { page, reason } of older(state, settings.floor))
      if (!round.take(page, 'forced', reason) && round.room < 1) break;
  missingVisits(round, state, earned);
  const { discovery, audit = DEFAULT_AUDIT } = settings.shares ?? {};
  auditVisits(round, state, audit * earned);
  if (discovery !== undefined) {
    const most = BANK.hours * state.refresh.pace * discovery;
    state.saved.discovery = Math.min(Math.max(1, most), state.saved.discovery + discovery * earned);
    for (const { page, value, reason } of suspectsByValue(state)) {
      const cost = state.refresh.cost[page] as number;
      if (cost > state.saved.discovery) break;
      if (round.take(page, 'discover', reason, value)) state.saved.discovery -= cost;
    }
  }
  const due = dueCaptures(state, input);
  for (const { cost } of due) round.pay(cost);
  return due.map(({ planned }) => planned);
}
