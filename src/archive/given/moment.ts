import { parseTimestamp } from '../../access/replay-url.ts';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';
import { parseDuration } from './quantities.ts';

const ISO = /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d(?::\d\d(?::\d\d(?:\.\d{1,3})?)?)?)?)?)?Z?$/;

/**
 * A time as people write it: a day or any part of one (`2026-03`, `2026-03-01 12:00`, UTC), the timestamps of replay
 * URLs (`20260301`), with an offset (`2026-03-01T12:00+02:00`), or how long ago (`7d`). A part of a time is a period:
 * its start or its end is taken.
 */
export function parseMoment(text: string, now: Millis, side: 'start' | 'end'): Millis {
  const given = text.trim();
  const digits = ISO.test(given) || /^\d{4,17}$/.test(given) ? given.replace(/\D/g, '') : undefined;
  if (digits !== undefined) {
    // Parts past their range are held to its end.
    return parseTimestamp(side === 'end' ? digits.padEnd(17, '9') : digits) as Millis;
  }
  if (/^\d+(?:\.\d+)?\s*[a-z]+$/i.test(given)) return now - parseDuration(given);
  const time = Date.parse(given);
  if (!Number.isNaN(time)) return time;
  throw new UserError(
    `'${text}' is no time; write a day (2026-03-01), a time (2026-03-01T12:00), or how long ago (7d, 12h)`,
  );
}
