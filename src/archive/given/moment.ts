import { parseTimestamp } from '../../access/replay-url.ts';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';
import { parseDuration } from './quantities.ts';

const ISO = /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?)?)?)?Z?$/;
/** A day and a time with an offset: Date parses it. */
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?[+-]\d\d:?\d\d$/;
/** The format of times in HTTP. */
const HTTP_DATE = /^[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/i;
/** `7d`, `1.5 h`. */
const SPAN = /^\d+(?:\.\d+)?\s*[a-z]+$/i;

/**
 * A time as people write it: a day or any part of one (`2026-03`, `2026-03-01 12:00`, UTC), the timestamps of replay
 * URLs (`20260301`), with an offset (`2026-03-01T12:00+02:00`), or how long ago (`7d`). An incomplete time is a
 * period: `side` chooses its start or its end.
 */
export function parseMoment(text: string, now: Millis, side: 'start' | 'end'): Millis {
  const given = text.trim();
  const digits = ISO.test(given) || /^\d{4,17}$/.test(given) ? given.replace(/\D/g, '') : undefined;
  if (digits !== undefined) {
    requireRealDay(text, digits);
    // Missing digits are filled up, then limited to the end of their range.
    return parseTimestamp(side === 'end' ? digits.padEnd(17, '9') : digits) as Millis;
  }
  if (SPAN.test(given)) return now - parseDuration(given);
  const [, day, time] = WITH_OFFSET.exec(given) ?? [];
  if (day !== undefined) requireRealDay(text, `${day}${time}`.replace(/\D/g, ''));
  const at = day !== undefined || HTTP_DATE.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw noTime(text, 'how long ago');
}

/** When something ends: as above, but `30d` means in thirty days. */
export function parseDeadline(text: string, now: Millis): Millis {
  if (SPAN.test(text.trim())) return now + parseDuration(text);
  try {
    return parseMoment(text, now, 'end');
  } catch (error) {
    throw error instanceof UserError ? noTime(text, 'how long from now') : error;
  }
}

/** Lowest and highest of each part after the year; a minute can have a leap second. */
const RANGES = [
  ['month', 4, 1, 12],
  ['day', 6, 1, 31],
  ['hour', 8, 0, 23],
  ['minute', 10, 0, 59],
  ['second', 12, 0, 60],
] as const;

/** A day that no calendar has is a mistake; the nearest real one would answer a different question. */
function requireRealDay(text: string, digits: string): void {
  const lastDay = new Date(Date.UTC(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), 0)).getUTCDate();
  for (const [name, from, least, most] of RANGES) {
    if (digits.length < from + 2) return;
    const value = Number(digits.slice(from, from + 2));
    if (value < least || value > (name === 'day' ? lastDay : most))
      throw new UserError(
        `'${text}' is no time: there is no ${name} ${value}${name === 'day' ? ' in that month' : ''}`,
      );
  }
}

const noTime = (text: string, span: string): UserError =>
  new UserError(
    `'${text}' is no time; write a day (2026-03-01), a time (2026-03-01T12:00), or ${span} (7d, 12h)`,
  );
