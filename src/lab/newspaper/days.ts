/** Calendar arithmetic in UTC: the newspaper's town has no daylight saving, so an hour is always an hour. */
import type { Millis } from '../../model/time.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Days since 1970-01-01. */
export type Day = number;

export const dayOf = (time: Millis): Day => Math.floor(time / DAY);
export const startOf = (day: Day): Millis => day * DAY;
/** 0 is Monday, 6 is Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: Day): number => (((day + 3) % 7) + 7) % 7;
export const isWeekend = (day: Day): boolean => weekdayOf(day) >= 5;
export const hourOf = (time: Millis): number => Math.floor(time / HOUR) % 24;

const pad = (n: number): string => String(n).padStart(2, '0');

export interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly date: string;
}

export function partsOf(day: Day): DateParts {
  const d = new Date(startOf(day));
  return { year: String(d.getUTCFullYear()), month: pad(d.getUTCMonth() + 1), date: pad(d.getUTCDate()) };
}

/** 2026-11-15 */
export function isoDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${year}-${month}-${date}`;
}

/** 2026/11/15 */
export function slashDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${year}/${month}/${date}`;
}

/** The day for a year, month and date, or undefined if there is no such date (2026-02-30). */
export function dayFrom(year: string, month: string, date: string): Day | undefined {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(date));
  const day = dayOf(time);
  return isoDay(day) === `${year}-${month}-${date}` ? day : undefined;
}

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const weekdayName = (day: Day): string => WEEKDAYS[weekdayOf(day)] ?? '';
export const monthName = (month: string): string => MONTHS[Number(month) - 1] ?? '';

/** Sunday, 15 November 2026 */
export function longDay(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${weekdayName(day)}, ${Number(date)} ${monthName(month)} ${year}`;
}

/** 14:05 */
export function clockTime(time: Millis): string {
  const minutes = Math.floor(time / MINUTE) % (24 * 60);
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** 15 November 2026, 14:05 */
export function longTime(time: Millis): string {
  const { year, month, date } = partsOf(dayOf(time));
  return `${Number(date)} ${monthName(month)} ${year}, ${clockTime(time)}`;
}

export const isoTime = (time: Millis): string => new Date(time).toISOString().replace('.000Z', 'Z');
/** As in HTTP and RSS: Sun, 15 Nov 2026 14:05:00 GMT */
export const httpTime = (time: Millis): string => new Date(time).toUTCString();

/** Times k·step with from < time <= to. */
export function ticks(from: Millis, to: Millis, step: number): Millis[] {
  const times: Millis[] = [];
  for (let time = (Math.floor(from / step) + 1) * step; time <= to; time += step) times.push(time);
  return times;
}
