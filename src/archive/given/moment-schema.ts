import { z } from 'zod';
import { parseMoment } from './moment.ts';

const EXPECTED = 'write a time that is yet to come, such as 2026-03-01T12:00';

/** A time in the future: YAML reads it as a date, a flag as text. 'How long ago' makes no sense here. */
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

/** A time in the past or future; part of one, such as a day, means its start or its end. */
export const pastMoment = (side: 'start' | 'end') =>
  z
    .union(
      [z.string(), z.number(), z.date()],
      'write a day (2026-03-01), a time (2026-03-01T12:00), or how long ago (7d)',
    )
    .transform((given, context): number => {
      // YAML reads a day as a date: where it is a bare day, its end is the end of that day.
      const text =
        given instanceof Date ? given.toISOString().replace(/T00:00:00\.000Z$/, '') : String(given);
      try {
        return parseMoment(text, Date.now(), side);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    });
