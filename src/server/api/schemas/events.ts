import { z } from 'zod';
import { TOLD_ALERT } from './alerts.ts';
import { CHANGE } from './changes.ts';
import { millis } from './field-kinds.ts';
import { IMPAIRMENT } from './sites.ts';

export const VISIT = z.object({
  url: z.string(),
  at: millis,
  duration: z.number(),
  reason: z.string(),
  outcome: z.enum(['captured', 'unchanged', 'dropped', 'failed', 'deferred']),
  status: z.int().optional(),
  bytes: z.number(),
  fault: IMPAIRMENT.optional(),
});
export type VisitRow = Readonly<z.infer<typeof VISIT>>;

/** What `/api/events` tells, by the name of the event. */
export const EVENTS = {
  visit: VISIT.extend({ crawl: z.int() }),
  change: CHANGE.omit({ operations: true }),
  alert: TOLD_ALERT.omit({ operations: true }),
  crawl: z.object({ id: z.int(), state: z.enum(['running', 'stopped', 'finished']), startedAt: millis }),
  /** Too much happened since: what is shown is to be read anew. */
  reset: z.object({}),
} as const;

export type ApiEvents = { readonly [Name in keyof typeof EVENTS]: Readonly<z.infer<(typeof EVENTS)[Name]>> };
