import { Cron } from 'croner';
import { z } from 'zod';
import type { WaysOut } from '../../capture/http/ways-out.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { WatchBudget } from '../../model/watch.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import { ALERT_SETTINGS, configuredRules } from '../alerts/alert-settings.ts';
import { DELIVERY_SETTINGS } from '../alerts/channel-settings.ts';
import type { AlertConfig } from '../alerts/open-alerts.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { parseCount, parseDuration, parseShare, parseSize } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';
import { SERVER_SETTINGS } from '../serve/server-settings.ts';
import { givenWays, wayFacts } from '../session/given-ways.ts';
import { SESSION_KEYS } from '../session/session-settings.ts';
import type { WebSubSettings } from '../websub/watch-websub.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SPANS: Readonly<Record<string, Millis>> = {
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
};

/** How often something is due: after a time span, or by a cron expression. */
export type Recurrence =
  | { readonly kind: 'span'; readonly span: Millis }
  | { readonly kind: 'cron'; readonly expression: string };

/** When it is next due, given when it was last done. */
export function dueAfter(last: Millis, when: Recurrence, zone: string): Millis {
  if (when.kind === 'span') return last + when.span;
  const next = new Cron(when.expression, { timezone: zone, paused: true }).nextRun(new Date(last));
  return next?.getTime() ?? Number.POSITIVE_INFINITY;
}

const duration = quantity(parseDuration);
const share = quantity(parseShare);

const HOW_OFTEN = `write a span such as 1h or 2d, one of ${Object.keys(SPANS).join(', ')}, or a cron expression such as '0 6 * * 1'`;

/** Parsed as text: `1h`, `weekly`, `0 6 * * 1`. */
function recurrence(text: string): Recurrence {
  const named = SPANS[text];
  if (named !== undefined) return { kind: 'span', span: named };
  if (text.trim().split(/\s+/).length >= 5) {
    new Cron(text, { paused: true });
    return { kind: 'cron', expression: text };
  }
  const span = parseDuration(text);
  if (span < LEAST_SPAN)
    throw new Error(`${text} is too short: nothing is visited more often than each second`);
  return { kind: 'span', span };
}

const LEAST_SPAN = 1000;

const often = z.union([z.string(), z.number()], HOW_OFTEN).transform((value, context): Recurrence => {
  try {
    return recurrence(String(value));
  } catch (error) {
    context.addIssue({ code: 'custom', message: `${(error as Error).message}; ${HOW_OFTEN}` });
    return z.NEVER;
  }
});

/** Hours in which a site may be visited, in minutes of its day; those of a night extend past midnight. */
export interface OpenHours {
  readonly from: number;
  readonly to: number;
  readonly zone?: string;
}

const WINDOW = /^(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})(?: (\S+))?$/;

const openHours = z.string().transform((text, context): OpenHours => {
  const [, h1, m1, h2, m2, zone] = WINDOW.exec(text) ?? [];
  const [from, to] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)];
  const fail = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (!(from >= 0 && from < 1440 && to >= 0 && to <= 1440) || from === to)
    return fail(`'${text}' is no span of hours: write e.g. 22:00-06:00 or '22:00-06:00 Europe/Paris'`);
  try {
    if (zone !== undefined) zoneOffset(zone);
  } catch {
    return fail(`no time zone is named '${zone}'; write e.g. Europe/Paris`);
  }
  return { from, to, ...(zone !== undefined && { zone }) };
});

/** Settings of crawls that a watch may set for all its sites, or for one. */
const CRAWLING = CRAWL_SETTINGS.omit({
  seeds: true,
  seedFile: true,
  perimeters: true,
  perimeter: true,
  timeLimit: true,
  // All sites share one browser and its connections, and no site's secrets may reach another.
  ...{ session: true, sessionFile: true, storageState: true, profile: true, header: true },
  ...{ cookie: true, credentials: true, proxy: true, proxyDns: true },
}).partial();

const CAPTURE = z.union([z.enum(['auto', 'never']), often], `auto, never, or how often: ${HOW_OFTEN}`);

const SITE = z.strictObject(
  {
    ...CRAWLING.shape,
    url: z.string('expected an address, such as https://example.org/'),
    capture: CAPTURE.optional().describe('sharp captures of the whole site'),
    pages: z
      .strictObject({
        every: often.describe('visit these pages at least so often'),
        of: z
          .array(
            z.string().regex(/^(?:\/|https?:)/, {
              error: ({ input }) =>
                `'${String(input)}' is no path: write one that begins with /, such as /news/`,
            }),
          )
          .describe("paths, such as '/' and '/news/'; a * at the end stands for all below"),
      })
      .optional(),
    feeds: z
      .array(
        z.string().refine((text) => /^https?:/.test(text) && URL.canParse(text), {
          error: ({ input }) => `'${String(input)}' is no address: write e.g. https://example.org/feed.xml`,
        }),
      )
      .optional()
      .describe('feeds and sitemaps that tell of its pages, beside those it names'),
    only: openHours.optional().describe('hours in which it may be visited'),
    requestsPerHour: quantity(parseCount).optional(),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `unknown; a site takes: url, capture, pages, feeds, only, requestsPerHour, and settings of 'daguerre archive'`
        : undefined,
  },
);

/** The configuration of `watch`. */
export const WATCH_SETTINGS = z.strictObject({
  budget: z.strictObject({
    requestsPerHour: quantity(parseCount).describe('requests per hour, over all sites; 0 pauses'),
    bytesPerDay: quantity(parseSize).optional(),
    storage: quantity(parseSize).optional(),
  }),
  defaults: CRAWLING.optional(),
  sites: z.array(SITE).min(1, 'at least one site is to be watched'),
  shares: z
    .strictObject({ discovery: share.optional(), audit: share.optional() })
    .refine(
      ({ discovery = 0, audit = 0 }) => discovery + audit <= 1,
      'the shares are more than all of the budget',
    )
    .optional(),
  proxy: SESSION_KEYS.proxy.optional(),
  proxyDns: SESSION_KEYS.proxyDns.optional(),
  floor: duration.optional(),
  round: duration.refine((span) => span >= 1000, 'a round takes a second or more').optional(),
  objective: z.enum(['per-page', 'pooled']).optional(),
  alerts: ALERT_SETTINGS.default([]),
  delivery: DELIVERY_SETTINGS.prefault({}),
  websub: z
    .strictObject({
      callback: z
        .string()
        .refine((text) => /^https?:/.test(text) && URL.canParse(text) && !/[?#]/.test(text), {
          error: ({ input }) =>
            `'${String(input)}' is no address that hubs could reach: write e.g. https://archive.example.org/websub`,
        })
        .describe('public address below which hubs reach this watch'),
      port: z.int().min(0).max(65_535).default(8472).describe('where that leads to on this machine'),
      host: z.string().default('127.0.0.1'),
    })
    .optional()
    .describe('subscribe to the hubs that feeds announce (WebSub)'),
  server: SERVER_SETTINGS.optional().describe('who may use the web page (docs/api.md)'),
});

export interface WatchedSiteSettings {
  readonly url: string;
  /** For capturing the whole site, as `archive` would. */
  readonly spec: CrawlSpec;
  readonly capture: 'auto' | 'never' | Recurrence;
  readonly forced?: { readonly every: Recurrence; readonly of: readonly string[] };
  readonly feeds: readonly string[];
  readonly only?: OpenHours;
  readonly zone: string;
  readonly requestsPerHour?: number;
}

export interface WatchConfig {
  readonly budget: WatchBudget & { readonly storage?: number };
  readonly sites: readonly WatchedSiteSettings[];
  readonly shares: { readonly discovery: number; readonly audit?: number };
  readonly floor?: Millis;
  readonly round: Millis;
  readonly objective: 'per-page' | 'pooled';
  readonly alerts: AlertConfig;
  /** For all sites; direct unless given. */
  readonly ways?: WaysOut;
  /** Hubs are not used unless given. */
  readonly websub?: WebSubSettings;
  /** As written in the file: see serverSettings, which reads its secrets. */
  readonly server?: unknown;
}

/**
 * Share of the requests: a page that was never captured is missing whole, which the value of one version does not
 * reflect.
 */
const DISCOVERY = 0.1;
/** Interval between two rounds, in milliseconds. */
const ROUND = 15 * 60_000;

/**
 * @param raw as written in the file, and as WATCH_SETTINGS accepts it. Settings of crawls are read from it a second
 * time, because those of a site override the defaults, and both override the built-in values of a crawl.
 * @param file where it came from
 */
export function watchConfig(raw: unknown, file?: string): WatchConfig {
  const {
    budget,
    sites,
    shares = {},
    floor,
    round = ROUND,
    objective = 'per-page',
    alerts,
    delivery,
    proxy = [],
    proxyDns = false,
    server,
    websub,
  } = WATCH_SETTINGS.parse(raw);
  const ways = givenWays({ proxy, proxyDns });
  const { defaults = {}, sites: written } = raw as {
    readonly defaults?: object;
    readonly sites: readonly object[];
  };
  return {
    budget: {
      requestsPerHour: budget.requestsPerHour,
      ...(budget.bytesPerDay !== undefined && { bytesPerDay: budget.bytesPerDay }),
      ...(budget.storage !== undefined && { storage: budget.storage }),
    },
    sites: sites.map(({ url, capture = 'auto', pages, feeds = [], only, requestsPerHour }, index) => {
      const own = crawlKeys(written[index] ?? {});
      const settings = CRAWL_SETTINGS.parse({
        scopeType: 'host',
        ...crawlKeys(defaults),
        ...own,
        seeds: [url],
      });
      return {
        url,
        spec: { ...crawlSpec(settings, file), ...(ways && { ways: wayFacts(ways) }) },
        capture,
        feeds,
        zone: settings.timezone ?? 'UTC',
        ...(pages && { forced: pages }),
        ...(only && { only }),
        ...(requestsPerHour !== undefined && { requestsPerHour }),
      };
    }),
    shares: {
      discovery: shares.discovery ?? DISCOVERY,
      ...(shares.audit !== undefined && { audit: shares.audit }),
    },
    ...(floor !== undefined && { floor }),
    ...(ways && { ways }),
    round,
    objective,
    alerts: { rules: configuredRules(alerts, zoneOf(defaults)), delivery },
    ...(websub && { websub }),
    ...(server && { server }),
  };
}

function zoneOf(defaults: { readonly timezone?: unknown }): { readonly zone?: string } {
  return typeof defaults.timezone === 'string' ? { zone: defaults.timezone } : {};
}

const crawlKeys = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => key in CRAWLING.shape));
