import { z } from 'zod';
import type { Decision } from '../../model/decision.ts';

/** Who and why: single-line texts. */
const said = (what: string, longest: number) =>
  z
    .string(`${what}: expected a text`)
    .trim()
    .min(1, `${what}: a decision says who decided and why`)
    .max(longest, `${what}: at most ${longest} characters`)
    .regex(/^\P{Cc}*$/u, `${what}: one line, without control characters`);

const ACT = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.enum(['in', 'out', 'pin', 'never-skip', 'undo']) }),
    z.strictObject({ kind: z.literal('every'), span: z.number().min(1000, 'every: at least a second') }),
    z.strictObject({
      kind: z.literal('weight'),
      factor: z.number().min(0, 'weight: at least 0').max(1000, 'weight: at most 1000'),
    }),
  ],
  'act: expected { kind: in | out | every | weight | pin | never-skip | undo }, with a span (every) or a factor (weight)',
);

/** What a person gives, with targets as they are stored. */
export const DECISION_DRAFT = z.strictObject({
  targets: z.array(z.string().max(4000)).min(1, 'targets: name at least one').max(10_000).readonly(),
  act: ACT,
  by: said('by', 200),
  why: said('why', 2000),
  until: z.number().max(8.64e15).optional(),
  /**
   * Stamp of what was known to be decided about the targets, see decision-stamp.ts: refused if somebody has decided
   * since.
   */
  seen: z.string().max(100).optional(),
});

export type DecisionDraft = z.output<typeof DECISION_DRAFT>;

/** As a record holds it; any other fields may be from a later Daguerre. */
export const STORED_DECISION = z.object({
  id: z.string().regex(/^\P{Cc}{1,100}$/u),
  target: z.string().regex(/^\P{Cc}{1,4000}$/u),
  act: ACT,
  by: said('by', 200),
  why: said('why', 2000),
  at: z.number().max(8.64e15),
  until: z.number().max(8.64e15).optional(),
});

/** Drops absent fields. */
export function decisionFrom({ until, ...rest }: z.output<typeof STORED_DECISION>): Decision {
  return { ...rest, ...(until !== undefined && { until }) };
}
