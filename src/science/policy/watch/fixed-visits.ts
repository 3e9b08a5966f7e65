/** Visits fixed by people: forced frequencies and floors. Most overdue first, relative to each page's own interval. */

import { spanWords } from '../reason-words.ts';
import { AVAILABILITY } from '../refresh/state.ts';
import type { PlanSettings } from './plan-settings.ts';
import type { WatchState } from './watch-state.ts';

const HOUR = 3_600_000;

export interface FixedVisit {
  readonly page: number;
  readonly reason: () => string;
}

export function overdue({ refresh, book }: WatchState): FixedVisit[] {
  const due: {
    readonly page: number;
    readonly late: number;
    readonly every: number;
    readonly hours: number;
  }[] = [];
  for (const page of book.forced) {
    if (refresh.alive[page] !== AVAILABILITY.open) continue;
    const every = (book.page(page).every as number) / 3_600_000;
    const hours = book.suspects.has(page)
      ? Number.POSITIVE_INFINITY
      : (refresh.now - (refresh.lastVisit[page] as number)) / 3600;
    if (hours >= every - TOLERANCE) due.push({ page, late: hours / every, every, hours });
  }
  due.sort((a, b) => b.late - a.late || a.page - b.page);
  return due.map(({ page, every, hours }) => ({
    page,
    reason: () =>
      hours === Number.POSITIVE_INFINITY
        ? `forced: never visited, wanted every ${spanWords(every * HOUR)}`
        : `forced: ${spanWords(hours * HOUR)} since the last visit, wanted every ${spanWords(every * HOUR)}`,
  }));
}

/** Hours: a round that begins a second before a page is due still takes it. */
const TOLERANCE = 0.001;

/** @param floor hours */
export function older({ refresh, book, missing }: WatchState, floor: number): FixedVisit[] {
  const old: number[] = [];
  for (let page = 0; page < refresh.size; page++) {
    if (refresh.alive[page] !== AVAILABILITY.open || book.suspects.has(page) || missing.has(page)) continue;
    if ((refresh.now - (refresh.lastVisit[page] as number)) / 3600 >= floor) old.push(page);
  }
  old.sort((a, b) => (refresh.lastVisit[a] as number) - (refresh.lastVisit[b] as number) || a - b);
  return old.map((page) => ({
    page,
    reason: () =>
      `floor: ${spanWords((refresh.now - (refresh.lastVisit[page] as number)) * 1000)} since the last visit, every ` +
      `page at least every ${spanWords(floor * HOUR)}`,
  }));
}

/** Forced frequencies that cannot be met: requests an hour that they need, and that are available, in total or for one site. */
export interface ForcedShortage {
  readonly site?: string;
  readonly wanted: number;
  readonly budget: number;
}

/** Overall shortages first. Forced pages come before everything else, so that nothing but the budget limits them. */
export function forcedShortages(
  { refresh, book }: WatchState,
  { budget, siteBudgets = new Map() }: Pick<PlanSettings, 'budget' | 'siteBudgets'>,
): readonly ForcedShortage[] {
  let all = 0;
  const bySite = new Map<string, number>();
  for (const page of book.forced) {
    const { site, every } = book.page(page);
    const pace = ((refresh.cost[page] as number) * HOUR) / (every as number);
    all += pace;
    bySite.set(site, (bySite.get(site) ?? 0) + pace);
  }
  const { requestsPerHour } = budget;
  return [
    ...(all > requestsPerHour * SPARE ? [{ wanted: all, budget: requestsPerHour }] : []),
    ...[...siteBudgets].flatMap(([site, pace]) => {
      const wanted = bySite.get(site) ?? 0;
      return wanted > pace * SPARE ? [{ site, wanted, budget: pace }] : [];
    }),
  ];
}

/** A budget that is met exactly is not too small: costs are means. */
const SPARE = 1.01;
