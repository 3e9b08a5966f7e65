import { z } from 'zod';
import {
  type CrawlSpec,
  RENDER_MODES,
  SCOPE_TYPES,
  type ScopeSpec,
  type SeedScope,
} from '../../model/crawl.ts';
import { REVISIT_MODES } from '../../model/site-capture.ts';
import { SPEC_VERSION } from '../../model/spec-version.ts';
import { STORE_MODES } from '../../model/version.ts';
import { SKIP_DEFAULTS } from '../../science/evolution/skip-plan.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import { DEFAULT_SITE_ORDER, SITE_ORDER_NAMES } from '../../science/policy/site-order.ts';
import { parseCount, parseDuration, parseShare, parseSize } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';
import { REGION } from '../holidays.ts';
import { chosenPerimeter, PERIMETER_TABLE } from '../perimeter/perimeter-settings.ts';
import { userAgent } from '../user-agent.ts';
import { skipRules } from './skip-rules.ts';

function isZone(name: string): boolean {
  try {
    zoneOffset(name);
    return true;
  } catch {
    return false;
  }
}

const duration = quantity(parseDuration);
const size = quantity(parseSize);
const count = quantity(parseCount);
const share = quantity(parseShare);
/** A count in a range: zod's own words are not a user's. */
const countFrom = (least: number, most = Number.POSITIVE_INFINITY) =>
  count.refine((value) => value >= least && value <= most, {
    error: ({ input }) =>
      `${String(input)} is too ${Number(input) < least ? 'small' : 'large'}: write a whole number ` +
      (most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`),
  });
const list = z
  .union([z.string(), z.array(z.string())], 'expected a text, or a list of texts')
  .transform((value) => [value].flat());

/** Regular expressions, checked here so that a complaint names their line. */
const patterns = list.superRefine((sources, context) => {
  for (const source of sources) {
    try {
      new RegExp(source);
    } catch (error) {
      const message = `'${source}' is not a regular expression (${(error as Error).message}); for a literal text, put a backslash before each of . ? + * ( ) [ ] { } ^ $ | \\`;
      context.addIssue({ code: 'custom', message });
    }
  }
});

const SCOPE_KEYS = {
  scopeType: z.enum(SCOPE_TYPES),
  include: patterns,
  exclude: patterns,
  depth: count,
  extraHops: count,
};

const SEED_KEYS = {
  url: z.string('expected an address, such as https://example.org/'),
  scopeType: SCOPE_KEYS.scopeType.optional(),
  include: SCOPE_KEYS.include.optional(),
  exclude: SCOPE_KEYS.exclude.optional(),
  depth: SCOPE_KEYS.depth.optional(),
  extraHops: SCOPE_KEYS.extraHops.optional(),
  pageLimit: count.optional(),
};

/** A seed is an address, or in the file an address with settings of its own, which go before those of the crawl. */
const SEED = z.preprocess(
  (seed) => (typeof seed === 'string' ? { url: seed } : seed),
  z.strictObject(SEED_KEYS, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown; a seed takes: ${Object.keys(SEED_KEYS).join(', ')}`
        : `expected an address, or 'url: <address>' with: ${Object.keys(SEED_KEYS).slice(1).join(', ')}`,
  }),
);

/**
 * Every setting of a crawl, once: keys of the YAML file and, in kebab-case, flags of `daguerre archive`.
 * The text of `describe` is the flag's help.
 */
export const CRAWL_SETTINGS = z.strictObject({
  seeds: z
    .preprocess((seeds) => (seeds === undefined ? [] : [seeds].flat()), z.array(SEED))
    .describe('URLs to begin with'),
  collection: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dot, dash and underscore only')
    .default('main')
    .describe('name the captures are filed under'),
  scopeType: SCOPE_KEYS.scopeType
    .default('prefix')
    .describe(`which links belong to the crawl: ${SCOPE_TYPES.join(', ')}`),
  include: patterns.default([]).describe('regular expression of URLs that belong to it too (repeatable)'),
  exclude: patterns.default([]).describe('regular expression of URLs that never do (repeatable)'),
  depth: count.default(Number.POSITIVE_INFINITY).describe('links to follow away from a seed'),
  extraHops: count.default(0).describe('links to follow out of scope'),
  pageLimit: count.default(Number.POSITIVE_INFINITY).describe('pages to capture at most'),
  timeLimit: duration.default(Number.POSITIVE_INFINITY).describe('time for the whole crawl, e.g. 2h'),
  sizeLimit: size.default(Number.POSITIVE_INFINITY).describe('bytes to download at most, e.g. 2GB'),
  render: z
    .enum(RENDER_MODES)
    .default('auto')
    .describe('auto: HTML through Chromium, the rest directly; always; never'),
  templates: count
    .default(0)
    .describe(
      'with --render auto, no browser for versions that keep the structure of a static page, except for each n-th; 0: never without',
    ),
  order: z
    .enum(SITE_ORDER_NAMES as [string, ...string[]])
    .default(DEFAULT_SITE_ORDER)
    .describe(`download order: ${SITE_ORDER_NAMES.join(', ')}`),
  revisit: z
    .enum(REVISIT_MODES)
    .default('none')
    .describe('visit each page twice: blur, for the least blur; sharp, for the most proven pages; none'),
  store: z
    .enum(STORE_MODES)
    .default('all')
    .describe(
      'all versions; or important: of rendered pages those that reach their threshold, the rest as facts',
    ),
  storeBudget: size
    .optional()
    .describe('bytes a day that the kept versions of a site may take, e.g. 50MB: thresholds follow it'),
  skipByRules: z
    .boolean()
    .default(false)
    .describe(
      'leave directories as they are archived that will not have changed, by what earlier crawls of the site saw',
    ),
  missAtMost: share
    .optional()
    .describe(
      'with --skip-by-rules, share of the pages changed since their last visit that may be missed (default: 5%)',
    ),
  refreshEvery: countFrom(1)
    .optional()
    .describe(
      `with --skip-by-rules, crawls after which a directory is visited again (default: ${SKIP_DEFAULTS.refreshEvery})`,
    ),
  pin: patterns
    .default([])
    .describe('regular expression of URLs that --skip-by-rules always visits (repeatable)'),
  perimeter: z
    .string()
    .optional()
    .describe(
      'keep to a web, not to hosts: french-web, or a name among perimeters: of the file; --scope-type is any unless given (docs/perimeter.md)',
    ),
  perimeters: PERIMETER_TABLE.optional(),
  crawlMirrors: z
    .boolean()
    .default(false)
    .describe(
      'visit every page of a site that is known to mirror another (daguerre mirrors), in place of a sample',
    ),
  timezone: z
    .string()
    .refine(isZone, {
      error: ({ input }) => `no time zone is named '${String(input)}'; write e.g. Europe/Paris`,
    })
    .optional()
    .describe(
      'zone in which the sites live, e.g. Europe/Paris: hours of their patterns (default: as before, else UTC)',
    ),
  holidays: z
    .string()
    .regex(REGION, `a country, such as DE, or a part of one, such as DE-BY`)
    .optional()
    .describe(
      'country whose days off the sites keep, e.g. DE, or part of one, e.g. DE-BY (default: as before)',
    ),
  workers: countFrom(1, 256).default(16).describe('visits under way at once, over all hosts'),
  perHost: countFrom(1, 64).default(1).describe('requests in flight per host'),
  delay: duration.default(1000).describe('pause between two requests to one host, e.g. 500ms'),
  delayFactor: z.coerce
    .number('expected a number, such as 1.5')
    .min(0, 'expected a number that is not negative')
    .optional()
    .describe('the pause is at least this many response times (default: 1, and 0 without a delay)'),
  maxDelay: duration.default(30_000).describe('longest adaptive pause'),
  maxCrawlDelay: duration
    .default(300_000)
    .describe('longest Crawl-delay of robots.txt that is heeded; a longer one is cut to it, and told'),
  robots: z.boolean().default(true).describe('obey robots.txt'),
  sitemaps: z.boolean().default(true).describe('read the sitemaps that robots.txt names'),
  sitemapLimit: count.default(1000).describe('sitemaps to read of one host at most'),
  alikeLimit: count
    .default(500)
    .describe(
      'pages of one family of URLs (?layer=1, 2, …) that may differ in numbers alone; the rest is a crawler trap',
    ),
  allowPrivate: z.boolean().default(false).describe('allow requests to private and loopback addresses'),
  contact: z
    .string()
    .default('')
    .describe('URL or e-mail put into the user agent, so that webmasters can reach you'),
  userAgent: z.string().default('').describe('the whole user agent'),
  responseTime: duration.default(90_000).describe('time for one response or one rendered page'),
  responseSize: size
    .default(1_000_000_000)
    .describe('bytes of one response; more is cut and marked truncated'),
  redirects: count.default(20).describe('redirects in a row'),
  attempts: countFrom(1).default(3).describe('tries per URL'),
});

export type CrawlSettings = z.output<typeof CRAWL_SETTINGS>;

/** `file`: the configuration that the settings came from. */
export function crawlSpec(settings: CrawlSettings, file?: string): CrawlSpec {
  const scope: ScopeSpec = {
    type: settings.scopeType,
    include: settings.include,
    exclude: settings.exclude,
    depth: settings.depth,
    extraHops: settings.extraHops,
  };
  const seedScopes = settings.seeds.flatMap((seed) => ownScope(seed, scope));
  return {
    version: SPEC_VERSION,
    seeds: settings.seeds.map(({ url }) => url),
    collection: settings.collection,
    scope,
    ...(seedScopes.length > 0 && { seedScopes }),
    limits: {
      pages: settings.pageLimit,
      time: settings.timeLimit,
      size: settings.sizeLimit,
      responseTime: settings.responseTime,
      responseSize: settings.responseSize,
      redirects: settings.redirects,
      attempts: settings.attempts,
      sitemaps: settings.sitemapLimit,
      alikePages: settings.alikeLimit,
    },
    politeness: {
      userAgent:
        settings.userAgent || userAgent(settings.contact === '' ? undefined : `+${settings.contact}`),
      robots: settings.robots,
      delay: settings.delay,
      delayFactor: settings.delayFactor ?? (settings.delay === 0 ? 0 : 1),
      maxDelay: settings.maxDelay,
      maxCrawlDelay: settings.maxCrawlDelay,
      perHost: settings.perHost,
      allowPrivate: settings.allowPrivate,
    },
    render: settings.render,
    templates: settings.templates,
    order: settings.order,
    revisit: settings.revisit,
    store: settings.store,
    ...(settings.storeBudget !== undefined && { storeBudget: settings.storeBudget }),
    ...(settings.timezone !== undefined && { timezone: settings.timezone }),
    ...(settings.holidays !== undefined && { holidays: settings.holidays }),
    ...(settings.perimeter !== undefined && {
      perimeter: chosenPerimeter(settings.perimeters ?? {}, settings.perimeter, file),
    }),
    ...skipRules(settings),
    sitemaps: settings.sitemaps,
    workers: settings.workers,
  };
}

function ownScope(
  { url, pageLimit, scopeType, ...own }: CrawlSettings['seeds'][number],
  general: ScopeSpec,
): readonly SeedScope[] {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  if (scopeType === undefined && pageLimit === undefined && Object.keys(given).length === 0) return [];
  return [
    {
      url,
      scope: { ...general, ...given, ...(scopeType !== undefined && { type: scopeType }) },
      ...(pageLimit !== undefined && { pages: pageLimit }),
    },
  ];
}
