import type { Millis } from '../model/time.ts';
import type { CountedQuarter } from '../ports/catalog.ts';
import { UnknownZoneError, type ZoneOffset, zoneOffset } from '../science/patterns/zone.ts';

/** What there is of one day of a calendar. */
export interface DayCount {
  /** `2026-03-02`, by the calendar of the zone. */
  readonly date: string;
  /** Of the first that was captured, to the quarter of an hour. */
  readonly at: Millis;
  readonly captures: number;
  readonly changes: number;
  readonly salience?: number;
}

/** Seconds. */
const QUARTER = 900;

/** Undefined for a name that no zone has. */
export function knownZone(name: string): ZoneOffset | undefined {
  try {
    return zoneOffset(name);
  } catch (error) {
    if (error instanceof UnknownZoneError) return undefined;
    throw error;
  }
}

/** Days in their order; those without a capture or a change are left out. */
export function dayCounts(quarters: readonly CountedQuarter[], offset: ZoneOffset): readonly DayCount[] {
  const days = new Map<string, DayCount>();
  for (const { quarter, captures, changes, salience } of quarters) {
    const time = quarter * QUARTER;
    const date = new Date((time + offset(time)) * 1000).toISOString().slice(0, 10);
    const day = days.get(date) ?? { date, at: time * 1000, captures: 0, changes: 0 };
    const most = Math.max(salience ?? -1, day.salience ?? -1);
    days.set(date, {
      ...{ date, at: day.at, captures: day.captures + captures, changes: day.changes + changes },
      ...(most >= 0 && { salience: most }),
    });
  }
  return [...days.values()];
}
