/**
 * What the lines of a crawl's log may be. Records come from anywhere, by `import` or by hand, and the catalog, reports and `verify` trust
 * each line; so every field is checked here, once. A line that does not fit is as damaged as one that is not JSON: it restores nothing, and
 * is counted.
 *
 * Unknown fields are accepted: a later Daguerre may write some. Unknown names of enumerations are not: reports look up what each means.
 */
import { z } from 'zod';
import { type CrawlSpec, type CrawlState, RENDER_MODES, SCOPE_TYPES } from '../../model/crawl.ts';
import { FAULTS, SKIPS } from '../../model/fault.ts';
import {
  INFERENCE_REASONS,
  INFERENCE_STATES,
  type InferredDirectory,
  type VirtualDirectory,
} from '../../model/inference.ts';
import { readSuspect, type Suspect } from '../../model/perimeter.ts';
import { REVISIT_MODES } from '../../model/site-capture.ts';
import { STORE_MODES, WEIGHINGS } from '../../model/version.ts';
import type { FrontierLogEntry, SkipRule } from '../../ports/catalog.ts';
import { SIDES } from '../../science/policy/sites/divide-budget.ts';

const keysOf = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  z.enum(Object.keys(table) as [T, ...T[]]);

const text = z.string();
/** Control characters would reach a terminal. */
const plainText = z.string().regex(/^\P{Cc}*$/u);
const url = z.string().refine((value) => URL.canParse(value));
/** The latest time a Date can hold. */
const time = z.number().min(0).max(8.64e15);
/** Far more than any crawl has of anything; sums of them are still exact integers. */
const MOST = 1e12;
const count = z.int().min(0).max(MOST);
/** Durations and sizes are measured, and limits may be infinite. */
const amount = z.number().min(0).max(MOST);
const endless = z.union([amount, z.literal(Number.POSITIVE_INFINITY)]);
const share = z.number().min(0).max(1);
const pattern = z.string().refine(isPattern);

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

const scope = z.looseObject({
  type: z.enum(SCOPE_TYPES),
  include: z.array(pattern),
  exclude: z.array(pattern),
  depth: endless,
  extraHops: endless,
});

const spec = z.looseObject({
  version: count.optional(),
  seeds: z.array(text),
  collection: text,
  scope,
  seedScopes: z.array(z.looseObject({ url: text, scope, pages: endless.optional() })).optional(),
  limits: z.looseObject({
    pages: endless,
    time: endless,
    size: endless,
    responseTime: endless,
    responseSize: endless,
    redirects: endless,
    attempts: endless,
    sitemaps: endless.optional(),
    alikePages: endless.optional(),
  }),
  politeness: z.looseObject({
    userAgent: text,
    robots: z.boolean(),
    delay: endless,
    delayFactor: endless,
    maxDelay: endless,
    maxCrawlDelay: endless.optional(),
    perHost: endless,
    allowPrivate: z.boolean(),
  }),
  render: z.enum(RENDER_MODES),
  templates: amount.optional(),
  order: text,
  revisit: z.enum(REVISIT_MODES).optional(),
  store: z.enum(STORE_MODES).optional(),
  storeBudget: endless.optional(),
  timezone: text.optional(),
  holidays: text.optional(),
  weigh: z.enum(WEIGHINGS).optional(),
  skipByRules: z.looseObject({ missAtMost: share, refreshEvery: count, pin: z.array(pattern) }).optional(),
  refresh: z
    .looseObject({
      run: plainText,
      site: plainText,
      side: z.enum(SIDES),
      priority: z.number(),
      importance: z.number(),
      changeRate: z.number(),
      lastRead: time.optional(),
      pages: count,
      failures: count,
      left: count.optional(),
    })
    .optional(),
  sitemaps: z.boolean(),
  workers: endless,
});

/** First line of the log. */
export interface LogHead {
  readonly key: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly state: CrawlState;
  readonly spec: CrawlSpec;
  /** URLs of the frontier that this log does not name: see STOPPED_LOG. */
  readonly leftOut?: number;
}

const head = z.looseObject({
  key: text.min(1),
  startedAt: time,
  finishedAt: time,
  state: z.enum(['running', 'stopped', 'finished']),
  spec,
  leftOut: count.optional(),
});

const skip = z.looseObject({ reason: keysOf(SKIPS), detail: text });

const visit = z.looseObject({
  url: text,
  at: time,
  duration: amount,
  reason: text,
  outcome: z.enum(['captured', 'unchanged', 'dropped', 'failed', 'deferred']),
  status: count.optional(),
  bytes: amount,
  fault: z.looseObject({ kind: keysOf(FAULTS), detail: text }).optional(),
  eventId: text.optional(),
});

const entry = z
  .looseObject({
    kind: z.enum(['page', 'resource', 'lost', 'sitemap', 'revisit']),
    url: text,
    host: text,
    depth: count,
    extraHops: count,
    redirects: count,
    rank: z.number(),
    rate: amount.optional(),
    reason: text,
    isSeed: z.boolean(),
    via: text.optional(),
    state: z.enum(['pending', 'captured', 'unchanged', 'dropped', 'failed', 'skipped']),
    skip: skip.optional(),
    visits: z.array(visit),
  })
  // Whatever was queued was a URL; what was skipped when found, without a host, may not be one.
  .refine((one) => one.host === '' || URL.canParse(one.url))
  .refine((one) => one.visits.every((made) => made.url === one.url));

const skipRule = z.looseObject({
  reason: keysOf(SKIPS),
  rule: text,
  entries: count,
  sample: z.array(z.looseObject({ url: text, depth: count, detail: text, via: text.optional() })),
});

const inferredDirectory = z.looseObject({
  site: plainText.min(1),
  directory: plainText,
  reason: z.enum(INFERENCE_REASONS),
  rule: plainText,
  assumes: z.looseObject({ head: z.array(plainText), alpha: share, origin: url.optional() }).optional(),
  expectedMissed: amount,
  confidence: share,
  lastSeen: time,
  state: z.enum(INFERENCE_STATES),
  urls: z.array(z.intersection(plainText, url)),
});

const virtualDirectory = z.looseObject({
  site: plainText.min(1),
  directory: plainText,
  reason: z.enum(INFERENCE_REASONS),
  rule: plainText,
  expectedMissed: amount,
  heldBy: plainText.min(1),
  urls: z.array(z.intersection(plainText, url)),
});

/**
 * A line that is not a URL: what a rule left out, what was taken for unchanged, suspects of a perimeter, or a note of the crawl. Logs from
 * before there were rules name each skipped URL.
 */
export type LogFact =
  | { readonly skipped: SkipRule }
  | { readonly inferred: InferredDirectory }
  | { readonly virtual: VirtualDirectory }
  | { readonly suspect: Suspect }
  | { readonly note: string };
export type LogLine = FrontierLogEntry | LogFact;

export const isEntry = (line: LogLine): line is FrontierLogEntry => 'url' in line;

/** Undefined if a log cannot begin with this line. */
export const readLogHead = (value: unknown): LogHead | undefined =>
  head.safeParse(value).success ? (value as LogHead) : undefined;

/** Undefined if a log cannot contain this line. */
export function readLogLine(value: unknown): LogLine | undefined {
  return kindOf(value)?.safeParse(value).success ? (value as LogLine) : undefined;
}

const FACTS = {
  inferred: z.looseObject({ inferred: inferredDirectory }),
  suspect: z.looseObject({ suspect: z.custom((value) => readSuspect(value) !== undefined) }),
  virtual: z.looseObject({ virtual: virtualDirectory }),
  note: z.looseObject({ note: text }),
  skipped: z.looseObject({ skipped: skipRule }),
} as const;

/** By the distinguishing field: trying one after the other would take four times as long. */
function kindOf(value: unknown): z.ZodType | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('url' in value) return entry;
  return Object.entries(FACTS).find(([name]) => name in value)?.[1];
}
