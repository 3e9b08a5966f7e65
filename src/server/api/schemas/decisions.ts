import { z } from 'zod';
import { listOf, millis } from './field-kinds.ts';

/** What a person has decided, in words. */
export const DECISION_WORDS = z.object({
  act: z.string().describe('in, out, pin, every 1 h, weight 3'),
  by: z.string(),
  why: z.string(),
  target: z.string(),
});
export type DecisionRow = Readonly<z.infer<typeof DECISION_WORDS>>;

export const ACT = z.object({
  kind: z.enum(['in', 'out', 'pin', 'never-skip', 'undo', 'every', 'weight']),
  span: z.number().optional().describe('of every: milliseconds'),
  factor: z.number().optional().describe('of weight'),
});

export const DECISION = z.object({
  id: z.string(),
  target: z.string().describe('a page, a site or a pattern'),
  act: ACT,
  by: z.string(),
  why: z.string(),
  at: millis,
  until: millis.optional(),
  state: z.enum(['holds', 'ended', 'undone']),
  undoneBy: z.string().optional(),
});
export type ListedDecision = Readonly<z.infer<typeof DECISION>>;

export const MADE_DECISIONS = z.object({
  decisions: listOf(DECISION.omit({ state: true, undoneBy: true })),
});
