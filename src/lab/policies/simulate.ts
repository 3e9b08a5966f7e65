/**
 * One policy, one budget, one set of histories: every period it chooses which pages to visit, sees what a crawler would
 * see there, and learns from it. It is shown nothing of the future.
 *
 * A visit sees the live version; its importance is against the version captured before, so it includes whatever was
 * missed in between: 1 − Π(1 − μ). Weighted completeness counts the captured version by its own change (Def. 3).
 */

import { type Bank, bankedRound, EMPTY_BANK } from '../../science/policy/refresh/bank.ts';
import { type RankedVisits, type RefreshPolicy, tick } from '../../science/policy/refresh/policy.ts';
import { advance, observe, type RefreshState } from '../../science/policy/refresh/state.ts';
import { combine, type PageCompleteness } from '../../science/quality/completeness.ts';
import type { Histories, SimulatedPage } from './histories.ts';

export interface VisitSeen {
  readonly page: number;
  readonly from: number;
  readonly to: number;
  readonly changed: boolean;
  readonly importance: number;
}

export interface SimulateOptions {
  /** Share of the pages that may be visited per period, in [0, 1] or above. */
  readonly budget: number;
  /** In seconds; one hour by default. */
  readonly period?: number;
  /** Whether unused visits are saved for later, by policies that have a price; false by default. */
  readonly bank?: boolean;
  /** Called for every visit: a learner of shapes listens here. */
  readonly onVisit?: (seen: VisitSeen) => void;
  /** Called before each period: learners pass on what they learned. */
  readonly onPeriod?: (now: number) => void;
}

export interface SimulationResult {
  readonly perPage: number;
  readonly pooled: number;
  readonly pages: readonly PageCompleteness[];
  readonly visits: number;
}

export function simulate(
  histories: Histories,
  state: RefreshState,
  policy: RefreshPolicy,
  options: SimulateOptions,
): SimulationResult {
  const period = options.period ?? 3600;
  const { pages } = histories;
  const live = new Int32Array(pages.length).fill(-1);
  const captured = new Int32Array(pages.length).fill(-1);
  const got = new Float64Array(pages.length);
  let bank: Bank = EMPTY_BANK;
  const decide = (now: number, room: number): RankedVisits => {
    if (!options.bank) return tick(state, policy, now, room);
    advance(state, now);
    const round = bankedRound(bank, state, policy, room);
    bank = round.bank;
    return round.visits;
  };
  let visits = 0;
  let periods = 0;
  for (let now = histories.start + period; now <= histories.end; now += period) {
    periods++;
    const room = visitsAt(periods, pages.length, options.budget);
    options.onPeriod?.(now);
    const ranking = decide(now, room);
    for (const page of ranking.pages) {
      const { versions } = pages[page] as SimulatedPage;
      let at = live[page] as number;
      while (at + 1 < versions.length && (versions[at + 1]?.time as number) <= now) at++;
      live[page] = at;
      const before = captured[page] as number;
      const changed = at > before;
      let stays = 1;
      for (let index = before + 1; index <= at; index++) stays *= 1 - (versions[index]?.importance as number);
      if (changed) got[page] = (got[page] as number) + (versions[at]?.importance as number);
      captured[page] = at;
      const from = state.lastVisit[page] as number;
      observe(state, page, changed ? { kind: 'changed', importance: 1 - stays } : { kind: 'unchanged' });
      options.onVisit?.({ page, from, to: now, changed, importance: changed ? 1 - stays : 0 });
      visits++;
    }
  }
  const each = pages.map((page, index) => completenessOf(page, got[index] as number));
  const { perPage = 0, pooled = 0 } = combine(each, (index) => pages[index]?.weight ?? 1);
  return { perPage: perPage ?? 0, pooled: pooled ?? 0, pages: each, visits };
}

/** Number of visits in one period: fractions are carried over, so that 2% of 133 pages are 2 or 3, and 2.66 on average. */
export const visitsAt = (period: number, pages: number, budget: number): number =>
  Math.min(
    pages,
    Math.floor(period * pages * budget + 1e-9) - Math.floor((period - 1) * pages * budget + 1e-9),
  );

function completenessOf(page: SimulatedPage, captured: number): PageCompleteness {
  let appeared = 0;
  for (const { importance } of page.versions) appeared += importance;
  return { captured, appeared, completeness: appeared > 0 ? captured / appeared : undefined };
}
