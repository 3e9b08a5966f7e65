import { z } from 'zod';
import { VERDICTS } from '../../../model/page-check.ts';
import { listOf, millis, share } from './field-kinds.ts';

export const PAGE_CHECK = z.object({
  url: z.string(),
  at: millis.describe('of the capture'),
  madeAt: millis.describe('when it was checked'),
  verdict: z.enum(VERDICTS).describe('unseen: it could not be compared'),
  score: share.optional().describe('1: replay shows what was seen live'),
  shift: share.optional().describe('of the text, what looks otherwise'),
  missing: listOf(
    z.object({
      url: z.string(),
      type: z.string(),
      matters: z.number().describe('how much of a screen is missing with it'),
      advertisement: z.literal(true).optional().describe('does not count'),
    }),
  ),
  missingCount: z.int(),
  lost: listOf(
    z.object({ element: z.string(), salience: share, text: z.string(), address: z.string().optional() }),
  ),
  lostCount: z.int(),
  neverHad: z.int().describe('asked for by replay, and never received live'),
  mended: listOf(
    z.object({
      url: z.string(),
      outcome: z.enum(['same', 'other', 'had', 'failed']),
      why: z.string().optional(),
    }),
  ).optional(),
  facts: listOf(z.string()),
});
export type CheckRow = Readonly<z.infer<typeof PAGE_CHECK>>;

export const CHECK_SUMMARY = z.object({
  checked: z.int(),
  whole: z.int(),
  damaged: z.int(),
  unseen: z.int(),
  score: share.optional().describe('mean over those that were compared'),
  missing: z.int().describe('resources'),
});
export type CheckSummaryAnswer = Readonly<z.infer<typeof CHECK_SUMMARY>>;

const RUNNING_CHECK = z.object({
  url: z.string().optional(),
  at: millis.optional(),
  crawl: z.int().optional(),
  sample: z.int().optional(),
  mend: z.boolean(),
  startedAt: millis,
});

export const CHECK_STATE = z.object({
  running: RUNNING_CHECK.optional(),
  last: RUNNING_CHECK.extend({ endedAt: millis, why: z.string().optional() })
    .optional()
    .describe('the last that ended; why: it failed'),
});
export type CheckStateAnswer = Readonly<z.infer<typeof CHECK_STATE>>;
