import { z } from 'zod';
import { parseMoment } from './moment.ts';

const EXPECTED = 'write a time that is yet to come, such as 2026-03-01T12:00';

/** A time that is yet to come: YAML reads one as a date, a flag as text. How long ago something was says nothing of it. */
export const momentAhead = z.union([z.string(), z.date()], EXPECTED).transform((given, context): number => {
  try {
    const at = given instanceof Date ? given.getTime() : parseMoment(given, Number.NaN, 'start');
    if (!Number.isNaN(at)) return at;
    context.addIssue({ code: 'custom', message: EXPECTED });
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
  return z.NEVER;
});

/** A time in the past or future; a part of one, such as a day, stands for its start or its end. */
export const pastMoment = (side: 'start' | 'end') =>
  z
    .union(
      [z.string(), z.number(), z.date()],
      'write a day (2026-03-01), a time (2026-03-01T12:00), or how long ago (7d)',
    )
    .transform((given, context): number => {
      // YAML reads a day as a date: its end is that of the day, where it is no more than one.
      const text =
        given instanceof Date ? given.toISOString().replace(/T00:00:00\.000Z$/, '') : String(given);
      try {
        return parseMoment(text, Date.now(), side);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    });
