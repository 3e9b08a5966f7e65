/** Visits that people fixed: forced frequencies and floors. The longest overdue, in parts of its own interval, first. */
import { AVAILABILITY } from '../refresh/state.ts';
import type { WatchState } from './watch-state.ts';

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
        ? `forced: never visited, wanted every ${every.toFixed(2)} h`
        : `forced: ${hours.toFixed(2)} h since the last visit, wanted every ${every.toFixed(2)} h`,
  }));
}

/** Hours: a round that begins a second before the page is due is its round. */
const TOLERANCE = 0.001;

/** @param floor hours */
export function older({ refresh, book }: WatchState, floor: number): FixedVisit[] {
  const old: number[] = [];
  for (let page = 0; page < refresh.size; page++) {
    if (refresh.alive[page] !== AVAILABILITY.open || book.suspects.has(page)) continue;
    if ((refresh.now - (refresh.lastVisit[page] as number)) / 3600 >= floor) old.push(page);
  }
  old.sort((a, b) => (refresh.lastVisit[a] as number) - (refresh.lastVisit[b] as number) || a - b);
  return old.map((page) => ({
    page,
    reason: () =>
      `floor: ${((refresh.now - (refresh.lastVisit[page] as number)) / 3600).toFixed(1)} h since the last visit, every ` +
      `page at least every ${floor} h`,
  }));
}
