import { z } from 'zod';
import { PATTERN_KINDS } from '../../../model/pattern.ts';
import { WEIGHINGS } from '../../../model/version.ts';
import { listOf, millis, share } from './field-kinds.ts';

const ROW = z.object({ label: z.string().describe("class of days; '' for all"), values: listOf(z.number()) });

export const PATTERN = z.object({
  url: z.string(),
  site: z.string(),
  kind: z.enum(PATTERN_KINDS as [string, ...string[]]),
  zone: z.string(),
  periods: z.int().describe('of one class of days'),
  period: z.number().describe('seconds of one'),
  group: z.int(),
  groupPages: z.int(),
  observations: z.int(),
  changes: z.int(),
  changesPerDay: z.number(),
  confidence: share,
  weigh: z.enum(WEIGHINGS),
  threshold: z.number(),
  factor: z.number(),
  firstAt: millis,
  lastAt: millis,
  goneAt: millis.optional(),
  pattern: listOf(ROW).describe('expected importance, or salience, by period'),
  rate: listOf(ROW).describe('expected changes per hour, by period'),
});
export type PatternRow = Readonly<z.infer<typeof PATTERN>>;
