import { z } from 'zod';
import { listOf, millis, share } from './field-kinds.ts';

const STANDING = z.object({
  inside: z.boolean(),
  chance: share,
  own: z.number(),
  evidence: listOf(
    z.object({
      criterion: z.string(),
      outcome: z.string(),
      found: z.string(),
      strength: z.number(),
      weight: z.number(),
    }),
  ),
  links: listOf(z.object({ mean: z.number(), weight: z.number() })),
  decided: z.string().optional(),
  hops: z.int(),
});

export const PERIMETER_URL = STANDING.extend({
  url: z.string(),
  at: millis,
  perimeter: z.string(),
  isRead: z.boolean(),
  firstReadAt: millis.optional(),
});
export type PerimeterRow = Readonly<z.infer<typeof PERIMETER_URL>>;

/** As `daguerre perimeter explain --json` prints it. */
export const EXPLAINED = z.looseObject({
  url: z.string(),
  perimeter: z.string(),
  threshold: share,
  known: z.enum(['read', 'suspect', 'unknown']),
  standing: STANDING,
});

const SIZE = z.looseObject({ mean: z.number(), low: z.number(), high: z.number() });
export const PERIMETER_SIZE = SIZE.extend({ perimeter: z.string(), confidence: share });
export const PERIMETER_SIZES = z.looseObject({
  perimeter: z.string(),
  confidence: share,
  points: listOf(SIZE.extend({ at: millis, crawl: z.int().optional() })),
});
export type PerimeterSizes = Readonly<z.infer<typeof PERIMETER_SIZES>>;

export const PERIMETER_COUNTS = z.object({
  name: z.string(),
  inside: z.int(),
  outside: z.int(),
  suspects: z.int().describe('known by links alone'),
  believed: z.int().describe('those of the suspects that are believed to belong'),
});
export type PerimeterCountsAnswer = Readonly<z.infer<typeof PERIMETER_COUNTS>>;
