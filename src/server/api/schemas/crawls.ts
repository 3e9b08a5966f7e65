import { z } from 'zod';
import { counts, limit, listOf, millis } from './field-kinds.ts';

const RESOURCES = z.object({
  captured: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  lost: z.int().optional(),
});

const PAGE_COUNTS = z.object({
  captured: z.int(),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  redirects: z.int(),
  dropped: z.int().optional(),
  gone: z.int(),
  failed: z.int(),
  pending: z.int(),
  resources: RESOURCES,
  failures: counts.describe('pages that failed, by reason'),
  impaired: counts.optional(),
});

export const TALLY = PAGE_COUNTS.extend({
  skipped: z.int(),
  revisits: z.object({ captured: z.int(), unchanged: z.int(), failed: z.int() }),
  bytes: z.int(),
  skips: counts,
  sites: listOf(PAGE_COUNTS.extend({ site: z.string() })),
});

/** What of a spec is shown. Headers, logins and proxies stand in the configuration file alone. */
const SPEC = z.object({
  seeds: listOf(z.string()),
  collection: z.string(),
  scope: z.object({
    type: z.string(),
    include: listOf(z.string()),
    exclude: listOf(z.string()),
    depth: limit,
    extraHops: limit,
  }),
  limits: z.object({ pages: limit, time: limit, size: limit }),
  render: z.string(),
  order: z.string(),
  revisit: z.string().optional(),
  store: z.string().optional(),
  perimeter: z.object({ name: z.string() }).optional(),
  watch: z.object({ round: z.string() }).optional().describe('of a round of a watch'),
});

export const CRAWL = z.object({
  id: z.int(),
  key: z.string(),
  state: z.enum(['running', 'stopped', 'finished']),
  startedAt: millis,
  finishedAt: millis.optional(),
  spec: SPEC,
  tally: TALLY,
  inferred: z
    .object({
      pages: z.int(),
      directories: z.int(),
      expectedMissed: z.number(),
      reasons: counts,
      visitedAfterAll: z.int(),
    })
    .nullable()
    .describe('pages that were not visited and are taken for unchanged; null where every page was'),
  notes: listOf(z.string()),
});
export type CrawlRow = Readonly<z.infer<typeof CRAWL>>;
