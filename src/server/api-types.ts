import type { CountedInference } from '../access/inference-counts.ts';
import type { VirtualPage } from '../access/virtual-pages.ts';
import type { Visit } from '../model/crawl.ts';
import type { SiteRule } from '../model/site-bounds.ts';
import type { Millis } from '../model/time.ts';

export type { WantedCheckBody as WantedCheck } from '../archive/serve/start-check.ts';
export type { WantedCrawl } from '../archive/serve/start-crawl.ts';
export type { WatchStatus } from '../archive/watch/watch-status.ts';
export type { DayRow } from './api/days.ts';
export type { AlertRow, Outbox, PastAlerts } from './api/schemas/alerts.ts';
/** What `/api/` answers: the one contract between this server, its web page and scripts. Most of it follows from its schemas. */
export type { ChangeRow, DeltaAnswer } from './api/schemas/changes.ts';
export type { CheckRow, CheckStateAnswer, CheckSummaryAnswer } from './api/schemas/checks.ts';
export type { ChoiceAnswer } from './api/schemas/choices.ts';
export type { CrawlRow } from './api/schemas/crawls.ts';
export type { DecisionRow, ListedDecision } from './api/schemas/decisions.ts';
export type { DigestAnswer } from './api/schemas/digests.ts';
export type { ApiEvents } from './api/schemas/events.ts';
export type { LayoutAnswer } from './api/schemas/layouts.ts';
export type { LiveVisits } from './api/schemas/live.ts';
export type { PatternRow } from './api/schemas/patterns.ts';
export type { PerimeterCountsAnswer, PerimeterRow, PerimeterSizes } from './api/schemas/perimeter.ts';
export type { PlanAnswer } from './api/schemas/plan.ts';
export type { Problem } from './api/schemas/problem.ts';
export type { CertificateRow, ReportAnswer } from './api/schemas/reports.ts';
export type { DirectoryRules } from './api/schemas/rules.ts';
export type { SessionAnswer } from './api/schemas/session.ts';
export type { CaptureRow, PageRow, SiteRow } from './api/schemas/sites.ts';

/** A part of a list. `next` is the cursor of the part after it; absent at the end. */
export interface ListPart<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
}

export interface ArchiveInfo {
  readonly collection: string;
  /** Origins that replay captures, `*` for the label of a site; without one, all sites share it. */
  readonly replayPattern: string;
  /** Origin that sends captures as they were stored, without a trailing slash. */
  readonly rawUrl: string;
  /** False: this server replays without archived scripts only. */
  readonly scripts: boolean;
  /** What is a site where a host is not one: see model/site-bounds.ts. */
  readonly siteRules: readonly SiteRule[];
  /** Of a watch: it runs in this process (`/api/watch`), or is configured (`/api/plan`); absent without one. */
  readonly watch?: 'runs' | 'configured';
  /** Whether a watch runs, in this process or another: it takes up decisions, and hears pings. */
  readonly watching: boolean;
}

/** `still`: without archived scripts. */
export type ReplayMode = 'scripts' | 'still';

/** What the loader and the service worker of the replay origins know; it comes with their code. */
export interface ReplayConfig {
  readonly pattern: string;
  /** Origin of the web page. */
  readonly ui: string;
  readonly scripts: boolean;
  /** Where the worker asks for captures: `<source><timestamp>id_/<url>`. */
  readonly sources: Readonly<Record<ReplayMode, string>>;
  /**
   * Content security policies of replayed documents; `unguarded`: what the guard cannot be put into; `inert`: of captures as the
   * server sends them, which no document is made of.
   */
  readonly policies: Readonly<Record<ReplayMode | 'unguarded' | 'inert', string>>;
  readonly permissions: string;
}

/** Addresses of the parts that come behind a document in its answer, in their order (page-with-parts.ts). */
export interface ListedParts {
  readonly parts: readonly string[];
}

/** Before the bytes of each. Without `size` there are none: the part is asked for by itself. */
export interface PartHead {
  readonly url: string;
  readonly size?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** What was wrong with a version that was captured all the same. */
export type Impairment = NonNullable<Visit['fault']>;

/** A page that the archive does not hold: its last crawl left it to another. */
export type VirtualRow = VirtualPage;

/** A slice of a longer list. `next` is the offset that goes on; absent at the end. */
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly next?: number;
}

/** A visit whose version is not stored: left out at once, or thinned later. */
export interface DroppedRow {
  readonly at: Millis;
  /** Of its change, in [0, 1]. */
  readonly importance: number;
  readonly sha256: string;
}

/** A directory that a crawl took for unchanged, in the order of its plan. */
export type InferredRow = CountedInference;
