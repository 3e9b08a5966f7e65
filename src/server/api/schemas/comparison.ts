import { z } from 'zod';
import { COMPARISON_KINDS } from '../../../model/comparison.ts';
import { share } from './field-kinds.ts';

/** One object in place of a union, so that `fields` and CSV can name its parts: see model/comparison.ts. */
export const COMPARISON = z
  .object({
    kind: z.enum(COMPARISON_KINDS),
    importance: share.optional(),
    salience: share.optional(),
    why: z.string().optional(),
    partial: z.literal(true).optional(),
  })
  .describe('how it stands to the version before: the one meaning of "changed"');
