import { z } from 'zod';
import { VERSION_CHOICES } from '../../../model/version-choice.ts';
import { listOf, millis, share } from './field-kinds.ts';

const SHOWN = {
  at: millis.describe('of the capture that answers'),
  timestamp: z.string().describe('14 or 17 digits: what replay URLs hold'),
  status: z.int(),
};

export const CHOICE = z.object({
  url: z.string().describe('as it is archived'),
  day: millis.describe('the moment that was asked for'),
  choice: z.enum(VERSION_CHOICES),
  ...SHOWN,
  confidence: share.describe('chance that this version was there at that moment'),
  neither: share.describe('chance that none of the captures around it was'),
  why: z.string(),
  areEqual: z
    .boolean()
    .optional()
    .describe('whether the captures around the moment show a reader the same; absent where one is missing'),
  basis: z.enum(['pattern', 'prior']).describe('prior: nothing is learnt yet of when the page changes'),
  evidence: listOf(z.string()).describe('what dates the change'),
  alternatives: listOf(
    z.object({ choice: z.enum(['likely', 'before', 'after', 'closest']), ...SHOWN, chance: share }),
  ),
  capture: z
    .object({
      crawl: z.int(),
      key: z.string(),
      startedAt: millis,
      finishedAt: millis.optional(),
      isElsewhere: z.boolean().describe('the site capture does not hold this page'),
    })
    .optional(),
  span: z
    .object({ from: millis, to: millis, parts: z.int(), missing: z.int() })
    .optional()
    .describe('times of the parts that the page is put together from; absent where they are not known'),
});
export type ChoiceAnswer = Readonly<z.infer<typeof CHOICE>>;
