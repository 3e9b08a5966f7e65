import type { Crawl, CrawlTally, NewFrontierEntry, PageResult, Skip, Visit } from '../../model/crawl.ts';
import type { FaultKind, SkipReason } from '../../model/fault.ts';

/** One URL of a crawl with everything that came of it: a line of the crawl's log. */
export interface FrontierLogEntry extends NewFrontierEntry {
  readonly state: 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';
  /** Set when the state is `skipped`. */
  readonly skip?: { readonly reason: SkipReason; readonly detail: string };
  /** In chronological order. */
  readonly visits: readonly Visit[];
}

/** A part of a crawl's log. */
export interface LogPart {
  /** Only entries in this state. */
  readonly state?: 'failed';
  /** At most this many: the first ones. */
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
  /** Only those that captured their page, but not as they should have: what `CrawlTally.impaired` counts. */
  readonly impaired?: true;
  /** Only those that ended with one of these. */
  readonly faults?: readonly FaultKind[];
  readonly limit?: number;
  readonly offset?: number;
}

/** Entries of a crawl with the same outcome: what a number in its report counts. */
export interface SettledQuery {
  readonly crawlId: number;
  /** For resources: captured, unchanged, failed. */
  readonly result: PageResult | 'captured';
  /** Pages unless given; `resource` includes sitemaps. */
  readonly kind?: 'page' | 'resource';
  readonly site?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** The results of crawls: for reports, logs and certificates. */
export interface ResultCatalog {
  /** Oldest first. */
  crawls(): Promise<readonly Crawl[]>;
  crawl(crawlId: number): Promise<Crawl | undefined>;
  /** The whole frontier with its visits, in the order it grew: written into the records when a crawl ends. */
  frontierLog(crawlId: number, part?: LogPart): AsyncIterable<FrontierLogEntry>;
  tally(crawlId: number): Promise<CrawlTally>;
  /** Keyed by crawl id. */
  tallies(crawlIds: readonly number[]): Promise<ReadonlyMap<number, CrawlTally>>;
  /** What the crawl reported that belongs to no page, in order. */
  notes(crawlId: number): Promise<readonly string[]>;
  visits(query: VisitQuery): Promise<readonly Visit[]>;
  /** The visits that settled the entries which `tally` counts under this result, newest first. */
  settledVisits(query: SettledQuery): Promise<readonly Visit[]>;
  /** A sample: the first URLs of each rule. `skipRules` gives the totals. */
  skips(query: { crawlId: number; reason?: Skip['reason']; limit?: number }): Promise<readonly Skip[]>;
  skipRules(query: { crawlId: number; reason?: Skip['reason'] }): Promise<readonly SkipRule[]>;
}
