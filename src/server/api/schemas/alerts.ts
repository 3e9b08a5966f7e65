import { z } from 'zod';
import { CHANGE_OPERATION } from './changes.ts';
import { listOf, millis, share } from './field-kinds.ts';

/** What a rule told. */
export const TOLD_ALERT = z.object({
  id: z.string(),
  rule: z.string(),
  url: z.string(),
  kind: z.string(),
  from: millis.optional(),
  to: millis,
  madeAt: millis,
  importance: share.optional(),
  salience: share.optional(),
  summary: z.string().describe('the condition that held, and what happened'),
  operations: listOf(CHANGE_OPERATION),
});

export const ALERT = TOLD_ALERT.extend({
  message: z.string().optional(),
  deliveries: listOf(
    z.object({
      channel: z.string().describe('its name, without secrets'),
      state: z.enum(['waiting', 'sent', 'given-up']),
      tries: z.int(),
      nextTry: millis,
      firstTry: millis.optional(),
      doneAt: millis.optional(),
      lastError: z.string().optional(),
    }),
  ),
});
export type AlertRow = Readonly<z.infer<typeof ALERT>>;

export const OUTBOX = z.object({
  alerts: z.int(),
  waiting: z.int(),
  deliveries: z.object({ waiting: z.int(), sent: z.int(), 'given-up': z.int() }),
});

export type Outbox = Readonly<z.infer<typeof OUTBOX>>;

export const ALERT_RULE = z.object({
  name: z.string(),
  where: z.looseObject({}),
  when: z.looseObject({}),
  digest: z.string(),
  atMost: z.object({ messages: z.int(), span: z.number() }).optional(),
  quiet: z.object({ from: z.int(), to: z.int(), zone: z.string() }).optional(),
  zone: z.string(),
});

export const PAST_ALERTS = z.object({
  rules: listOf(
    z.looseObject({
      rule: z.string(),
      alerts: z.int(),
      messages: listOf(
        z.looseObject({ at: millis, alerts: listOf(z.looseObject({ url: z.string(), to: millis })) }),
      ),
    }),
  ),
});
export type PastAlerts = Readonly<z.infer<typeof PAST_ALERTS>>;
