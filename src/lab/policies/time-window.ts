import type { Seconds } from '../../model/time.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

export interface Windows {
  /** In days. */
  readonly train: number;
  readonly test: number;
}

/**
 * Days of training and of test if not both are given: the given one, and the rest of the time for the other; or else half
 * each, but at most 60 days. Whole days if there are enough.
 *
 * @param span from the first to the last time in the table
 */
export function timeWindows(span: Seconds, given: Partial<Windows>): Windows {
  const days = span / DAY;
  const whole = (value: number): number => (value >= 1 ? Math.floor(value) : value);
  if (given.train !== undefined) {
    return { train: given.train, test: given.test ?? Math.max(0, Math.min(60, days - given.train)) };
  }
  if (given.test !== undefined) return { train: Math.max(0, whole(days - given.test)), test: given.test };
  const train = whole(Math.min(60, days / 2));
  return { train, test: Math.min(60, days - train) };
}

/** From the hour of the first time in a table of pages to the end of the hour of the last; 0 if it has none. */
export function spanOf(table: ReadonlyMap<string, readonly { readonly time: Seconds }[]>): Seconds {
  const { first, last } = extentOf(table);
  return last < first ? 0 : (Math.floor(last / HOUR) + 1 - Math.floor(first / HOUR)) * HOUR;
}

/** The first and the last time in a table of pages; last comes before first if it has none. */
export function extentOf(table: ReadonlyMap<string, readonly { readonly time: Seconds }[]>): {
  readonly first: Seconds;
  readonly last: Seconds;
} {
  let first = Infinity;
  let last = -Infinity;
  for (const list of table.values()) {
    for (const { time } of list) {
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  }
  return { first, last };
}
