import type { BlockRule } from './block-rule.ts';
import type { FaultKind, SkipReason } from './fault.ts';
import type { SkipRulesSpec } from './inference.ts';
import type { MirroredSite } from './mirror.ts';
import type { PageSpec } from './page-spec.ts';
import type { PerimeterSpec } from './perimeter.ts';
import type { SecretKind } from './private-capture.ts';
import type { RefreshFact } from './refresh.ts';
import type { ConsentAnswer, SessionMode, WayFact } from './session.ts';
import type { RevisitMode } from './site-capture.ts';
import type { Millis } from './time.ts';
import type { StoreMode, Weighing } from './version.ts';
import type { WatchFact } from './watch.ts';

/** Names as Browsertrix users know them. */
export const SCOPE_TYPES = ['page', 'page-spa', 'prefix', 'host', 'domain', 'any', 'custom'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export const RENDER_MODES = ['auto', 'always', 'never'] as const;
export type RenderMode = (typeof RENDER_MODES)[number];

/** What is asked for of a page in the browser: all that it would load on other screens too, or what it shows on ours. */
export const ALTERNATIVES = ['all', 'shown'] as const;
export type Alternatives = (typeof ALTERNATIVES)[number];

export interface ScopeSpec {
  readonly type: ScopeType;
  /** Regular expressions (source text). A URL that matches one is in scope, whatever the type says. */
  readonly include: readonly string[];
  /** Regular expressions. A URL that matches one is out, whatever else says. */
  readonly exclude: readonly string[];
  /** Links away from the seed; Infinity for no limit. */
  readonly depth: number;
  /** Further links out of scope that are still followed. */
  readonly extraHops: number;
}

/** A seed that has a scope of its own. */
export interface SeedScope {
  /** One of the seeds. */
  readonly url: string;
  readonly scope: ScopeSpec;
  /** Pages that its scope may bring into the crawl, itself among them; no limit unless given. */
  readonly pages?: number;
  /** How the pages that its scope takes are read; as the crawl says unless given. */
  readonly render?: RenderMode;
}

export interface LimitSpec {
  /** Pages per crawl. */
  readonly pages: number;
  /** Milliseconds per crawl. */
  readonly time: number;
  /** Bytes written per crawl. */
  readonly size: number;
  /** Milliseconds for one response, first byte to last included. */
  readonly responseTime: number;
  /** Bytes of one response body. */
  readonly responseSize: number;
  readonly redirects: number;
  /** Times one URL is tried before it counts as failed. */
  readonly attempts: number;
  /** Sitemaps that are read of one host; absent in crawls from before there was a limit. */
  readonly sitemaps?: number;
  /** Pages of one family of URLs that may be alike but for numbers; likewise. */
  readonly alikePages?: number;
  /** Of one page, what it would load on other screens; likewise. */
  readonly alternatives?: number;
}

export interface PolitenessSpec {
  readonly userAgent: string;
  readonly robots: boolean;
  /** Least pause between two requests to one host, in milliseconds. */
  readonly delay: number;
  /** The pause is at least this many times the server's last response time. */
  readonly delayFactor: number;
  /** The adaptive pause never grows past this, in milliseconds (Crawl-delay and Retry-After may). */
  readonly maxDelay: number;
  /** Crawl-delay of robots.txt is heeded up to this, in milliseconds; without end where absent. */
  readonly maxCrawlDelay?: number;
  /** Requests in flight per host. */
  readonly perHost: number;
  readonly allowPrivate: boolean;
}

export interface CrawlSpec {
  /** Which meaning the names in it have: see spec-version.ts. Absent in crawls from before there were two. */
  readonly version?: number;
  readonly seeds: readonly string[];
  readonly collection: string;
  /** Of the seeds without one of their own. */
  readonly scope: ScopeSpec;
  /** Absent where no seed has one. */
  readonly seedScopes?: readonly SeedScope[];
  readonly limits: LimitSpec;
  readonly politeness: PolitenessSpec;
  readonly render: RenderMode;
  /** Of rendered pages; `shown` in crawls from before there was a choice. */
  readonly alternatives?: Alternatives;
  /** One in this many versions that could be filled from a template is rendered anyway; 0 or absent: all of them. */
  readonly templates?: number;
  /** How pages are looked at; as ever unless given: scrolled, and the first screen photographed. */
  readonly page?: PageSpec;
  readonly order: string;
  /** What the second visit of each page is for; absent in crawls from before there was one. */
  readonly revisit?: RevisitMode;
  /** Which versions are stored; all unless given. */
  readonly store?: StoreMode;
  /** Bytes a day that the kept versions of one site may take; no limit unless given. */
  readonly storeBudget?: number;
  /** IANA name of the zone in which the sites of the seeds live; as it was before, else UTC, unless given. */
  readonly timezone?: string;
  /** Country, or part of one (`DE`, `DE-BY`), whose days off those sites keep; as it was before unless given. */
  readonly holidays?: string;
  /** The number that patterns of those sites are learnt from; as it was before, else importance, unless given. */
  readonly weigh?: Weighing;
  /** Which directories may be taken for unchanged; absent where every page is visited. */
  readonly skipByRules?: SkipRulesSpec;
  /** Set where a refresh chose the site. */
  readonly refresh?: RefreshFact;
  /** Set where the crawl is a round of a watch: it visits the pages that were planned, and follows no links. */
  readonly watch?: WatchFact;
  /** The web that the crawl keeps to; absent where its scope alone decides. */
  readonly perimeter?: PerimeterSpec;
  /** Sites of the seeds that are known to mirror another: of the mirrored part a sample is visited. Absent where there are none. */
  readonly mirrors?: readonly MirroredSite[];
  /** What goes along from page to page; nothing where absent, as in `page`. */
  readonly session?: SessionMode;
  /** What banners that ask for consent are answered; nothing where absent. */
  readonly consent?: ConsentAnswer;
  /** Which secrets it was given, whose values are nowhere: its captures are private. Absent where there were none. */
  readonly supplied?: readonly SecretKind[];
  /** Proxies that it went through; absent where it went out directly. */
  readonly ways?: readonly WayFact[];
  /** Set where those resolved names. */
  readonly proxyDns?: true;
  readonly sitemaps: boolean;
  /** Pages that a sitemap dates outside these are not taken from it; absent where all are. */
  readonly sitemapDates?: { readonly from?: Millis; readonly to?: Millis };
  /** What counts as a link, as parseLinkSelector reads it; absent: what browsers take for one. */
  readonly selectLinks?: readonly string[];
  /** What pages are kept from loading; absent where there are no rules. */
  readonly blockRules?: readonly BlockRule[];
  /** Advertisements by the filter lists are not loaded. */
  readonly blockAds?: boolean;
  /** False: whatever answers is the page. True where absent. */
  readonly recogniseWalls?: boolean;
  readonly workers: number;
}

/**
 * What a URL is to the crawl: a page that someone may read (a PDF too), something a page embeds (image,
 * style, script), something that a browser asked for and did not get (lost), a sitemap, or the second visit of a page. Page limits and the report count pages.
 */
export type EntryKind = 'page' | 'resource' | 'lost' | 'sitemap' | 'revisit';

/**
 * Ranks in three bands. What a page embeds or redirects to, and sitemaps, come before any page, and so do, after them, pages
 * that people have decided to take; pages in reserve are those past the page limit, taken only if others drop out.
 */
export const RANKS = { atOnce: -1e12, decided: -2e11, pages: -1e11, reserve: 1e15 } as const;

/** A URL waiting in the frontier, or settled there. One row per crawl and URL, and one for its revisit. */
export interface FrontierEntry {
  readonly id: number;
  readonly kind: EntryKind;
  readonly url: string;
  readonly host: string;
  /** Links away from the seed. */
  readonly depth: number;
  /** Links away from the scope: 0 inside. */
  readonly extraHops: number;
  /** Redirects in a row that led here. */
  readonly redirects: number;
  /** Given by the site order, which also says which end of the ranks is next. */
  readonly rank: number;
  /** Of a page and its revisit: changes per second, as far as was known when it was found. */
  readonly rate?: number;
  /** Why it is to be fetched, and in this place. */
  readonly reason: string;
  readonly attempts: number;
  readonly isSeed: boolean;
  /** The page or redirect that named it. */
  readonly via?: string;
  /** Not to be tried before; 0 for at once. */
  readonly notBefore: Millis;
}

export type NewFrontierEntry = Omit<FrontierEntry, 'id' | 'attempts' | 'notBefore'>;

/**
 * How a visit ended. `deferred` is a visit that will be tried again; `dropped` one whose version was left out, under
 * `store: important`, and stays as a fact.
 */
export type VisitOutcome = 'captured' | 'unchanged' | 'dropped' | 'failed' | 'deferred';

/** One try at one URL: why it was made and what came of it. */
export interface Visit {
  readonly url: string;
  readonly at: Millis;
  /** Milliseconds it took. */
  readonly duration: number;
  readonly reason: string;
  readonly outcome: VisitOutcome;
  readonly status?: number;
  /** Bytes received. */
  readonly bytes: number;
  readonly fault?: { readonly kind: FaultKind; readonly detail: string };
  /** Event that the visit wrote, when it wrote one. */
  readonly eventId?: string;
}

export interface Skip {
  readonly url: string;
  readonly reason: SkipReason;
  /** What made it: the same for all that it skips, where the detail is of this URL alone. The detail unless given. */
  readonly rule?: string;
  readonly detail: string;
  readonly depth: number;
  readonly via?: string;
}

export type CrawlState = 'running' | 'stopped' | 'finished';

export interface Crawl {
  readonly id: number;
  /** The same command has the same key: that is how it finds the crawl to resume. */
  readonly key: string;
  readonly state: CrawlState;
  readonly startedAt: Millis;
  readonly finishedAt?: Millis;
  readonly spec: CrawlSpec;
}

/** How a page of a crawl turned out, for people. Each settled page is one of these. */
export const PAGE_RESULTS = ['new', 'changed', 'unchanged', 'redirect', 'dropped', 'gone', 'failed'] as const;
export type PageResult = (typeof PAGE_RESULTS)[number];

/** Counts of pages; each page is in one of them, and `captured` is `new + changed`. */
export interface PageCounts {
  readonly captured: number;
  /** Captured for the first time: the archive held no version before the crawl. */
  readonly new: number;
  /** Captured, and different from the version before. */
  readonly changed: number;
  readonly unchanged: number;
  /** Answered with another address. */
  readonly redirects: number;
  /** Versions left out under `store: important`; absent where there are none. */
  readonly dropped?: number;
  /** Answered 404 or 410, though the archive held a version before the crawl. */
  readonly gone: number;
  /** All other failures. */
  readonly failed: number;
  readonly pending: number;
  /** Embedded resources and sitemaps that were fetched on their own. */
  readonly resources: {
    readonly captured: number;
    readonly unchanged: number;
    readonly failed: number;
    /** Those among them that a browser had asked for and not got; absent where there are none. */
    readonly lost?: number;
  };
  /** By reason; of the pages in `failed`. */
  readonly failures: Readonly<Partial<Record<FaultKind, number>>>;
  /** Pages and resources that were captured, but not as they should have been, by what went wrong; absent where there are none. */
  readonly impaired?: Readonly<Partial<Record<FaultKind, number>>>;
}

/** What a crawl did at one site; resources count for the site whose pages embed them. Sums over all sites are the counts of the crawl. */
export interface SiteTally extends PageCounts {
  readonly site: string;
}

/**
 * What a crawl came to; sums over its settled frontier. The plain counts are of pages (kind 'page'). `skipped` and
 * `skips` count entries of every kind: an image that robots.txt forbids is a loss that the report must show.
 */
export interface CrawlTally extends PageCounts {
  readonly skipped: number;
  /** Second visits: `captured` are those that found another version. */
  readonly revisits: { readonly captured: number; readonly unchanged: number; readonly failed: number };
  /** Response bytes received by all visits. */
  readonly bytes: number;
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>;
  /** Most pages first. */
  readonly sites: readonly SiteTally[];
}

/** Whether links that differ in their fragment alone may lead to pages of their own. */
export const hasHashPages = ({ scope, seedScopes = [] }: Pick<CrawlSpec, 'scope' | 'seedScopes'>): boolean =>
  [scope, ...seedScopes.map((seed) => seed.scope)].some(({ type }) => type === 'page-spa');

/** Whether any of its pages goes through the browser. */
export const isRendered = ({ render, seedScopes = [] }: Pick<CrawlSpec, 'render' | 'seedScopes'>): boolean =>
  [render, ...seedScopes.map((seed) => seed.render ?? render)].some((mode) => mode !== 'never');
