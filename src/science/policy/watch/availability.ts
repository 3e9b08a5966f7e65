/** Which pages may be visited in a round: they rest while their site is closed, and after failures. */
import { BANK } from '../refresh/bank.ts';
import { AVAILABILITY } from '../refresh/state.ts';
import type { PlanInput, PlanSettings } from './plan-settings.ts';
import type { WatchState } from './watch-state.ts';

export function settleAvailability(
  state: WatchState,
  settings: PlanSettings,
  { now, capturing }: PlanInput,
  hours: number,
): void {
  const { refresh, book, siteLeft, failing, missing } = state;
  for (const site of siteLeft.keys()) if (!settings.siteBudgets?.has(site)) siteLeft.delete(site);
  for (const [site, pace] of settings.siteBudgets ?? []) {
    const most = Math.max(1, BANK.hours * pace);
    siteLeft.set(site, Math.min(most, (siteLeft.get(site) ?? pace) + pace * hours));
  }
  for (let page = 0; page < refresh.size; page++)
    if (refresh.alive[page] === AVAILABILITY.resting) refresh.alive[page] = AVAILABILITY.open;
  const rest = (page: number): void => {
    if (refresh.alive[page] === AVAILABILITY.open) refresh.alive[page] = AVAILABILITY.resting;
  };
  for (const site of book.sites()) {
    const isOpen = settings.isOpen?.(site, now) ?? true;
    if (isOpen && !capturing?.has(site) && (siteLeft.get(site) ?? 1) >= 1) continue;
    for (const page of book.pagesOf(site)) rest(page);
  }
  for (const pages of [failing, missing])
    for (const [page, { until }] of pages) if (until > refresh.now) rest(page);
}

/** Sources and suspects are valued separately, and missing pages have no value: they have no place in the ranking of pages. */
export function hideRoles({ refresh, book, missing }: WatchState): readonly number[] {
  const hidden: number[] = [];
  for (const pages of [book.sources, book.suspects, missing]) {
    for (const page of pages.keys()) {
      if (refresh.alive[page] !== AVAILABILITY.open) continue;
      refresh.alive[page] = AVAILABILITY.resting;
      hidden.push(page);
    }
  }
  return hidden;
}

export function showRoles({ refresh }: WatchState, hidden: readonly number[]): void {
  for (const page of hidden) refresh.alive[page] = AVAILABILITY.open;
}
