import { z } from 'zod';
import { listOf, millis, share } from './field-kinds.ts';

const ITEM = z.object({
  headline: z.string(),
  teaser: z.string().optional().describe('what stood below the headline in the same link'),
  retitled: listOf(z.string()).describe(
    'later headlines of the same link; not those of other counters or times',
  ),
  address: z.string(),
  firstSeen: millis,
  lastSeen: millis,
  versions: z.int().describe('that show it'),
  weight: share.describe('greatest importance of a block in which it stood'),
  wasLead: z.boolean(),
  isThere: z.boolean().describe('the last version of the span shows it'),
  archived: z
    .object({ url: z.string(), at: millis, timestamp: z.string() })
    .optional()
    .describe('the capture of the article next to when it was first seen'),
});

export const DIGEST = z.object({
  url: z.string(),
  title: z.string(),
  from: millis,
  to: millis,
  versions: z.int().describe('that it was made of'),
  unread: z.int().describe('captures of the span without a layout'),
  headlines: z.int(),
  sections: listOf(z.object({ name: z.string(), items: listOf(ITEM) })),
});
export type DigestAnswer = Readonly<z.infer<typeof DIGEST>>;
