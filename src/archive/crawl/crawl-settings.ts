import { z } from 'zod';
import {
  ALTERNATIVES,
  type CrawlSpec,
  RENDER_MODES,
  SCOPE_TYPES,
  type ScopeSpec,
} from '../../model/crawl.ts';
import { REVISIT_MODES } from '../../model/site-capture.ts';
import { SPEC_VERSION } from '../../model/spec-version.ts';
import { STORE_MODES, WEIGHINGS } from '../../model/version.ts';
import { SKIP_DEFAULTS } from '../../science/evolution/skip-plan.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import { DEFAULT_SITE_ORDER, SITE_ORDER_NAMES } from '../../science/policy/site-order.ts';
import { ALTERNATIVES_LIMIT } from '../../stages/choose-alternatives.ts';
import { momentAhead } from '../given/moment-schema.ts';
import { REGION } from '../holidays.ts';
import { chosenPerimeter, PERIMETER_TABLE } from '../perimeter/perimeter-settings.ts';
import { SESSION_KEYS } from '../session/session-settings.ts';
import { crawlUserAgent, PAGE_KEYS, pageSpec } from './page-settings.ts';
import { ownScope, SCOPE_KEYS, SEED } from './seed-settings.ts';
import { count, countFrom, duration, patterns, share, size } from './setting-kinds.ts';
import { skipRules } from './skip-rules.ts';
import { TAKING_SETTINGS, takingSpec } from './taking-settings.ts';

function isZone(name: string): boolean {
  try {
    zoneOffset(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every setting of a crawl, declared once: keys of the YAML file and, in kebab-case, flags of `daguerre
 * archive`. The text of `describe` is the flag's help.
 */
export const CRAWL_SETTINGS = z.strictObject({
  seeds: z
    .preprocess((seeds) => (seeds === undefined ? [] : [seeds].flat()), z.array(SEED))
    .describe('URLs to begin with'),
  seedFile: z.string().optional().describe('file of further URLs to begin with, one a line'),
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
  alternatives: z
    .enum(ALTERNATIVES)
    .default('all')
    .describe(
      'of rendered pages: all, with what they would load on other screens (srcset, media queries, posters); shown, without',
    ),
  alternativesLimit: count
    .default(ALTERNATIVES_LIMIT)
    .describe('with --alternatives all, what to ask for of one page at most beside what it shows'),
  templates: count
    .default(0)
    .describe(
      'with --render auto, no browser for versions that keep the structure of a static page, except for each n-th; 0: never without',
    ),
  ...PAGE_KEYS,
  order: z
    .enum(SITE_ORDER_NAMES as [string, ...string[]])
    .default(DEFAULT_SITE_ORDER)
    .describe(`download order: ${SITE_ORDER_NAMES.join(', ')}`),
  revisit: z
    .enum(REVISIT_MODES)
    .default('none')
    .describe(
      'visit each page twice: blur, for the least blur; sharp, for the most proven pages; agree, for those and for pages that agree with each other; none',
    ),
  around: momentAhead
    .optional()
    .describe('wait, and begin so that the middle of the capture is at this time, e.g. 2026-03-01T12:00'),
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
  weigh: z
    .enum(WEIGHINGS)
    .optional()
    .describe(
      'number that patterns learn and thresholds measure: importance, or salience, what readers want to be told (default: as before, else importance)',
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
  ...TAKING_SETTINGS,
  alikeLimit: count
    .default(500)
    .describe(
      'pages of one family of URLs (?layer=1, 2, …) that may differ in numbers alone; the rest is a crawler trap',
    ),
  allowPrivate: z.boolean().default(false).describe('allow requests to private and loopback addresses'),
  ...SESSION_KEYS,
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
      alternatives: settings.alternativesLimit,
    },
    politeness: {
      userAgent: crawlUserAgent(settings),
      robots: settings.robots,
      delay: settings.delay,
      delayFactor: settings.delayFactor ?? (settings.delay === 0 ? 0 : 1),
      maxDelay: settings.maxDelay,
      maxCrawlDelay: settings.maxCrawlDelay,
      perHost: settings.perHost,
      allowPrivate: settings.allowPrivate,
    },
    render: settings.render,
    alternatives: settings.alternatives,
    templates: settings.templates,
    ...pageSpec(settings),
    order: settings.order,
    revisit: settings.revisit,
    store: settings.store,
    ...(settings.storeBudget !== undefined && { storeBudget: settings.storeBudget }),
    ...(settings.timezone !== undefined && { timezone: settings.timezone }),
    ...(settings.holidays !== undefined && { holidays: settings.holidays }),
    ...(settings.weigh !== undefined && { weigh: settings.weigh }),
    ...(settings.perimeter !== undefined && {
      perimeter: chosenPerimeter(settings.perimeters ?? {}, settings.perimeter, file),
    }),
    ...(settings.session !== 'page' && { session: settings.session }),
    ...(settings.consent !== 'none' && { consent: settings.consent }),
    ...skipRules(settings),
    ...takingSpec(settings),
    sitemaps: settings.sitemaps,
    workers: settings.workers,
  };
}
