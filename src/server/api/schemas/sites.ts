import { z } from 'zod';
import { COMPARISON } from './comparison.ts';
import { DECISION_WORDS } from './decisions.ts';
import { listOf, millis } from './field-kinds.ts';

export const SITE = z.object({
  site: z.string(),
  pages: z.int().describe('none: it only gave parts of pages of other sites'),
  captures: z.int().describe('of pages and of their parts'),
  pageCaptures: z.int().describe('of pages alone'),
  firstAt: millis,
  lastAt: millis,
  front: z
    .object({ url: z.string(), lastAt: millis })
    .optional()
    .describe('its first page by address, which stands for it in pictures'),
  mirror: z.string().optional().describe('what it is known to mirror'),
  virtual: z.int().optional().describe('pages that its last crawl left to other archives'),
  decisions: listOf(DECISION_WORDS).optional().describe('of the site as such'),
});
export type SiteRow = Readonly<z.infer<typeof SITE>>;

/** What was wrong with a version that was captured all the same. */
export const IMPAIRMENT = z.object({ kind: z.string(), detail: z.string() });

export const PAGE = z.object({
  url: z.string(),
  title: z.string(),
  captures: z.int(),
  firstAt: millis,
  lastAt: millis,
  lastStatus: z.int(),
  impaired: IMPAIRMENT.optional().describe('of the last capture'),
  decisions: listOf(DECISION_WORDS).optional().describe('of this page, or of a pattern that it matches'),
});
export type PageRow = Readonly<z.infer<typeof PAGE>>;

export const CAPTURE = z.object({
  url: z.string(),
  at: millis,
  timestamp: z.string().describe('14 or 17 digits: what replay URLs hold'),
  type: z.enum(['response', 'revisit', 'resource', 'metadata']),
  method: z.string(),
  status: z.int(),
  mime: z.string(),
  size: z.int().describe('bytes of the payload'),
  stored: z.int().describe('bytes of the record in its file'),
  comparison: COMPARISON.optional(),
  sha256: z.string(),
  truncated: z.string().optional(),
  impaired: IMPAIRMENT.optional(),
  partialChange: z.literal(true).optional().describe('only a part of the page was compared'),
  file: z.string(),
  offset: z.int(),
  recordId: z.string(),
});
export type CaptureRow = Readonly<z.infer<typeof CAPTURE>>;
