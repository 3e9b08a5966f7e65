import type { Crawl, CrawlTally, NewFrontierEntry, PageResult, Skip, Visit } from '../../model/crawl.ts';
import type { FaultKind, SkipReason } from '../../model/fault.ts';

/** One URL of a crawl with all that came of it: a line of the crawl's log. */
export interface FrontierLogEntry extends NewFrontierEntry {
  readonly state: 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';
  /** Set when the state is `skipped`. */
  readonly skip?: { readonly reason: SkipReason; readonly detail: string };
  /** In the order they were made. */
  readonly visits: readonly Visit[];
}

/** A part of a crawl's log. */
export interface LogPart {
  /** Entries in this state alone. */
  readonly state?: 'failed';
  /** The first so many. */
  readonly limit?: number;
}

/** What one rule left out. */
export interface SkipRule {
  readonly reason: SkipReason;
  readonly rule: string;
  /** URLs, each counted once. */
  readonly entries: number;
  /** The first of them. */
  readonly sample: readonly Omit<Skip, 'reason' | 'rule'>[];
}

/** Newest first. */
export interface VisitQuery {
  readonly crawlId?: number;
  readonly url?: string;
  readonly outcome?: Visit['outcome'];
  /** Those alone that captured their page, but not as they should have: what `CrawlTally.impaired` counts. */
  readonly impaired?: true;
  /** Those alone that ended with one of these. */
  readonly faults?: readonly FaultKind[];
  readonly limit?: number;
  readonly offset?: number;
}

/** Entries of a crawl that turned out alike: what a number of its report counts. */
export interface SettledQuery {
  readonly crawlId: number;
  /** Of resources: captured, unchanged, failed. */
  readonly result: PageResult | 'captured';
  /** Pages unless given; `resource` has sitemaps as well. */
  readonly kind?: 'page' | 'resource';
  readonly site?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** What came of crawls: for reports, logs and certificates. */
export interface ResultCatalog {
  /** Oldest first. */
  crawls(): Promise<readonly Crawl[]>;
  /** The whole frontier with its visits, in the order it grew: written into the records when a crawl ends. */
  frontierLog(crawlId: number, part?: LogPart): AsyncIterable<FrontierLogEntry>;
  tally(crawlId: number): Promise<CrawlTally>;
  /** What the crawl told beside its pages, in order. */
  notes(crawlId: number): Promise<readonly string[]>;
  visits(query: VisitQuery): Promise<readonly Visit[]>;
  /** The visits that settled the entries which `tally` counts so, newest first. */
  settledVisits(query: SettledQuery): Promise<readonly Visit[]>;
  /** A sample: the first URLs of each rule. `skipRules` tells how many there were. */
  skips(query: { crawlId: number; reason?: Skip['reason']; limit?: number }): Promise<readonly Skip[]>;
  skipRules(query: { crawlId: number; reason?: Skip['reason'] }): Promise<readonly SkipRule[]>;
}
