import { z } from 'zod';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../../model/change.ts';
import { COMPARISON } from './comparison.ts';
import { listOf, millis, share } from './field-kinds.ts';

const op = z.enum(OPERATION_NAMES as [string, ...string[]]);
const element = z.enum(CHANGED_ELEMENTS as [string, ...string[]]);

export const CHANGE_OPERATION = z.object({
  op,
  element,
  block: z.string().describe('ref in the new layout; of what was deleted, in the old one'),
  weight: z.number(),
  salience: share.optional(),
  old: z.string().optional(),
  new: z.string().optional(),
  oldAddress: z.string().optional(),
  newAddress: z.string().optional(),
  advertisement: z.literal(true).optional(),
});

export const CHANGE = z.object({
  url: z.string(),
  from: millis,
  to: millis,
  importance: share,
  salience: share.optional(),
  why: z.string().optional().describe('what a reader would be told, in a sentence'),
  partial: z.literal(true).optional(),
  comparison: COMPARISON,
  count: z.int().describe('of all its operations'),
  operations: listOf(CHANGE_OPERATION),
});
export type ChangeRow = Readonly<z.infer<typeof CHANGE>>;

const LINE = z.object({
  kind: z.enum(['new', 'gone', 'replaced', 'changed', 'moved', 'link']),
  place: z.string().describe('where, in words'),
  from: z.string().optional(),
  text: z.string(),
  before: z.string().optional(),
  picture: z.boolean(),
  advertisement: z.boolean(),
  rank: z.number(),
  salience: share.optional(),
});

const SHOWN = z.record(z.string(), z.union([z.string(), z.boolean()])).readonly();

export const DELTA = z.object({
  url: z.string(),
  from: millis,
  to: millis,
  comparison: COMPARISON,
  source: z
    .enum(['stored', 'computed', 'bytes'])
    .describe('the stored delta; computed from the stored layouts; or told by the bytes alone'),
  title: z.string().optional(),
  partial: z.string().optional().describe('why only a part was compared'),
  told: z
    .object({
      lines: listOf(LINE),
      figures: listOf(LINE).describe('texts of which only figures changed'),
      reshaped: z.int().describe('blocks that hold what they held, cut or shaped otherwise'),
      moved: listOf(z.string()),
    })
    .optional()
    .describe('as a reader would be told of it, the heaviest first'),
  operations: listOf(
    z.object({
      op,
      element,
      block: z.string(),
      weight: z.number(),
      salience: share.optional(),
      fromBlock: z.string().optional(),
      blocks: listOf(z.string()).optional(),
      structure: z.string().optional(),
      old: SHOWN.optional(),
      new: SHOWN.optional(),
      content: z.object({ links: z.int(), images: z.int(), texts: z.int() }).optional(),
    }),
  ),
});
export type DeltaAnswer = Readonly<z.infer<typeof DELTA>>;
