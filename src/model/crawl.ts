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

/** Names familiar to Browsertrix users. */
export const SCOPE_TYPES = ['page', 'page-spa', 'prefix', 'host', 'domain', 'any', 'custom'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export const RENDER_MODES = ['auto', 'always', 'never'] as const;
export type RenderMode = (typeof RENDER_MODES)[number];

/** What a page's browser is asked to load: everything it would load on other screens too, or only what it shows on ours. */
export const ALTERNATIVES = ['all', 'shown'] as const;
export type Alternatives = (typeof ALTERNATIVES)[number];

export interface ScopeSpec {
  readonly type: ScopeType;
  /** Regular expressions (source text). A URL matching one is in scope, whatever the type says. */
  readonly include: readonly string[];
  /** Regular expressions. A URL matching one is out of scope, whatever else says. */
  readonly exclude: readonly string[];
  /** Links away from the seed; Infinity for no limit. */
  readonly depth: number;
  /** Further links out of scope that are still followed. */
  readonly extraHops: number;
}

/** A seed with a scope of its own. */
export interface SeedScope {
  /** One of the seeds. */
  readonly url: string;
  readonly scope: ScopeSpec;
  /** Pages that its scope may bring into the crawl, the seed included; no limit unless given. */
  readonly pages?: number;
  /** How the pages of its scope are read; as the crawl says unless given. */
  readonly render?: RenderMode;
}

export interface LimitSpec {
  /** Pages per crawl. */
  readonly pages: number;
  /** Milliseconds per crawl. */
  readonly time: number;
  /** Bytes written per crawl. */
  readonly size: number;
  /** Milliseconds for one response, from first byte to last. */
  readonly responseTime: number;
  /** Bytes of one response body. */
  readonly responseSize: number;
  readonly redirects: number;
  /** How often one URL is tried before it counts as failed. */
  readonly attempts: number;
  /** Sitemaps read per host; absent in crawls from before there was a limit. */
  readonly sitemaps?: number;
  /** Pages per family of URLs that differ in numbers alone; absent likewise. */
  readonly alikePages?: number;
  /** Alternatives fetched for one page; absent likewise. */
  readonly alternatives?: number;
}

export interface PolitenessSpec {
  readonly userAgent: string;
  readonly robots: boolean;
  /** Least pause between two requests to one host, in milliseconds. */
  readonly delay: number;
  /** The pause is at least this many times the server's last response time. */
  readonly delayFactor: number;
  /** Upper limit of the adaptive pause, in milliseconds (Crawl-delay and Retry-After may exceed it). */
  readonly maxDelay: number;
  /** Crawl-delay of robots.txt is honoured up to this, in milliseconds; without limit where absent. */
  readonly maxCrawlDelay?: number;
  /** Requests in flight per host. */
  readonly perHost: number;
  readonly allowPrivate: boolean;
}

export interface CrawlSpec {
  /** Which meaning the names here have: see spec-version.ts. Absent in crawls from before there were two. */
  readonly version?: number;
  readonly seeds: readonly string[];
  readonly collection: string;
  /** For the seeds without one of their own. */
  readonly scope: ScopeSpec;
  /** Absent where no seed has one. */
  readonly seedScopes?: readonly SeedScope[];
  readonly limits: LimitSpec;
  readonly politeness: PolitenessSpec;
  readonly render: RenderMode;
  /** For rendered pages; `shown` in crawls from before there was a choice. */
  readonly alternatives?: Alternatives;
  /** One in this many versions that could be filled from a template is rendered anyway; 0 or absent: all of them. */
  readonly templates?: number;
  /** How pages are looked at; by default scrolled, with the first screen photographed. */
  readonly page?: PageSpec;
  readonly order: string;
  /** What the second visit of each page is for; absent in crawls from before there was one. */
  readonly revisit?: RevisitMode;
  /** Which versions are stored; all unless given. */
  readonly store?: StoreMode;
  /** Bytes a day that the kept versions of one site may take; no limit unless given. */
  readonly storeBudget?: number;
  /** IANA name of the time zone of the seeds' sites; unless given, the one used before, else UTC. */
  readonly timezone?: string;
  /** Country, or part of one (`DE`, `DE-BY`), whose holidays those sites observe; unless given, the one used before. */
  readonly holidays?: string;
  /** The number that patterns of those sites are learnt from; unless given, the one used before, else importance. */
  readonly weigh?: Weighing;
  /** Which directories may be taken for unchanged; absent where every page is visited. */
  readonly skipByRules?: SkipRulesSpec;
  /** Set where a refresh chose the site. */
  readonly refresh?: RefreshFact;
  /** Set where the crawl is a round of a watch: it visits the planned pages, and follows no links. */
  readonly watch?: WatchFact;
  /** The perimeter the crawl keeps to; absent where its scope alone decides. */
  readonly perimeter?: PerimeterSpec;
  /** Sites of the seeds that are known mirrors: only a sample of the mirrored part is visited. Absent where there are none. */
  readonly mirrors?: readonly MirroredSite[];
  /** Whether cookies and storage are carried from page to page; not where absent, as with `page`. */
  readonly session?: SessionMode;
  /** How consent banners are answered; not at all where absent. */
  readonly consent?: ConsentAnswer;
  /** Which kinds of secrets it was given; their values are stored nowhere, and its captures are private. Absent without any. */
  readonly supplied?: readonly SecretKind[];
  /** Proxies it went through; absent where it connected directly. */
  readonly ways?: readonly WayFact[];
  /** Set where the proxies resolved host names. */
  readonly proxyDns?: true;
  readonly sitemaps: boolean;
  /** Pages whose sitemap date lies outside this span are not taken from it; absent where all are. */
  readonly sitemapDates?: { readonly from?: Millis; readonly to?: Millis };
  /** What counts as a link, in the syntax of parseLinkSelector; absent: what browsers take for one. */
  readonly selectLinks?: readonly string[];
  /** What pages are kept from loading; absent where there are no rules. */
  readonly blockRules?: readonly BlockRule[];
  /** Advertisements on the filter lists are not loaded. */
  readonly blockAds?: boolean;
  /** False: any answer counts as the page. True where absent. */
  readonly recogniseWalls?: boolean;
  readonly workers: number;
}

/**
 * What a URL is to the crawl: a page that someone may read (a PDF too), something a page embeds (image,
 * style, script), something a browser requested and did not get (lost), a sitemap, or the second visit of a page.
 * Page limits and the report count pages.
 */
export type EntryKind = 'page' | 'resource' | 'lost' | 'sitemap' | 'revisit';

/**
 * Ranks fall into three bands. What a page embeds or redirects to, and sitemaps, come before any page; after them, but
 * still before other pages, come pages that people have decided to take; pages in reserve are those past the page limit,
 * taken only if others drop out.
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
  /** Given by the site order, which also determines which end of the ranks comes next. */
  readonly rank: number;
  /** Of a page and its revisit: changes per second, as far as known when it was found. */
  readonly rate?: number;
  /** Why it is fetched, and why at this position. */
  readonly reason: string;
  readonly attempts: number;
  readonly isSeed: boolean;
  /** The page or redirect that named it. */
  readonly via?: string;
  /** Earliest time to try it; 0 for at once. */
  readonly notBefore: Millis;
}

export type NewFrontierEntry = Omit<FrontierEntry, 'id' | 'attempts' | 'notBefore'>;

/**
 * How a visit ended. `deferred`: it will be tried again; `dropped`: its version was left out under
 * `store: important`, and stays as a fact.
 */
export type VisitOutcome = 'captured' | 'unchanged' | 'dropped' | 'failed' | 'deferred';

/** One try at one URL: why it was made and what came of it. */
export interface Visit {
  readonly url: string;
  readonly at: Millis;
  /** In milliseconds. */
  readonly duration: number;
  readonly reason: string;
  readonly outcome: VisitOutcome;
  readonly status?: number;
  /** Bytes received. */
  readonly bytes: number;
  readonly fault?: { readonly kind: FaultKind; readonly detail: string };
  /** Event that the visit wrote, if any. */
  readonly eventId?: string;
}

export interface Skip {
  readonly url: string;
  readonly reason: SkipReason;
  /** What left it out: the same for all URLs that it skips, while the detail concerns this URL alone. The detail unless given. */
  readonly rule?: string;
  readonly detail: string;
  readonly depth: number;
  readonly via?: string;
}

export type CrawlState = 'running' | 'stopped' | 'finished';

export interface Crawl {
  readonly id: number;
  /** The same command has the same key, by which it finds the crawl to resume. */
  readonly key: string;
  readonly state: CrawlState;
  readonly startedAt: Millis;
  readonly finishedAt?: Millis;
  readonly spec: CrawlSpec;
}

/** How a page of a crawl turned out, in words for people. Each settled page is one of these. */
export const PAGE_RESULTS = ['new', 'changed', 'unchanged', 'redirect', 'dropped', 'gone', 'failed'] as const;
export type PageResult = (typeof PAGE_RESULTS)[number];

/** Counts of pages; each page is counted once, and `captured` is `new + changed`. */
export interface PageCounts {
  readonly captured: number;
  /** Captured for the first time: the archive held no version before the crawl. */
  readonly new: number;
  /** Captured, and different from the version before. */
  readonly changed: number;
  readonly unchanged: number;
  /** Redirected to another address. */
  readonly redirects: number;
  /** Versions left out under `store: important`; absent where there are none. */
  readonly dropped?: number;
  /** Answered 404 or 410, though the archive held a version before the crawl. */
  readonly gone: number;
  /** All other failures. */
  readonly failed: number;
  readonly pending: number;
  /** Embedded resources and sitemaps fetched on their own. */
  readonly resources: {
    readonly captured: number;
    readonly unchanged: number;
    readonly failed: number;
    /** Those among them that a browser had requested and not received; absent where there are none. */
    readonly lost?: number;
  };
  /** The pages in `failed`, by reason. */
  readonly failures: Readonly<Partial<Record<FaultKind, number>>>;
  /** Pages and resources captured, but not as they should have been, by what went wrong; absent where there are none. */
  readonly impaired?: Readonly<Partial<Record<FaultKind, number>>>;
}

/** What a crawl did at one site; resources count for the site whose pages embed them. Summed over all sites: the crawl's counts. */
export interface SiteTally extends PageCounts {
  readonly site: string;
}

/**
 * What a crawl came to, summed over its settled frontier. The plain counts are of pages (kind 'page'). `skipped` and
 * `skips` count entries of every kind: an image that robots.txt forbids is a loss that the report must show.
 */
export interface CrawlTally extends PageCounts {
  readonly skipped: number;
  /** Second visits: `captured` are those that found a different version. */
  readonly revisits: { readonly captured: number; readonly unchanged: number; readonly failed: number };
  /** Response bytes received by all visits. */
  readonly bytes: number;
  readonly skips: Readonly<Partial<Record<SkipReason, number>>>;
  /** Most pages first. */
  readonly sites: readonly SiteTally[];
}

/** Whether links that differ only in their fragment may lead to pages of their own. */
export const hasHashPages = ({ scope, seedScopes = [] }: Pick<CrawlSpec, 'scope' | 'seedScopes'>): boolean =>
  [scope, ...seedScopes.map((seed) => seed.scope)].some(({ type }) => type === 'page-spa');

/** Whether any of its pages goes through the browser. */
export const isRendered = ({ render, seedScopes = [] }: Pick<CrawlSpec, 'render' | 'seedScopes'>): boolean =>
  [render, ...seedScopes.map((seed) => seed.render ?? render)].some((mode) => mode !== 'never');
