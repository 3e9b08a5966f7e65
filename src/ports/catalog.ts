import type { CatalogOwner } from '../model/archive-identity.ts';
import type { CaptureFact, PageInfo, PayloadOriginal, Validators } from '../model/capture.ts';
import type { Change, ChangedElement, PageCourse } from '../model/change.ts';
import type {
  Crawl,
  CrawlSpec,
  CrawlState,
  CrawlTally,
  EntryKind,
  FrontierEntry,
  NewFrontierEntry,
  PageResult,
  Skip,
  Visit,
} from '../model/crawl.ts';
import type { OperationName } from '../model/delta.ts';
import type { Millis } from '../model/exchange.ts';
import type { SkipReason } from '../model/fault.ts';
import type { PatternCatalog } from './pattern-catalog.ts';

/** How a frontier entry leaves the queue, or goes back to it. */
export type Settlement =
  | { readonly entryId: number; readonly state: 'captured' | 'unchanged' | 'dropped' | 'failed' }
  | { readonly entryId: number; readonly state: 'deferred'; readonly notBefore: Millis };

/** What one finished visit changes, written in one transaction with others. */
export interface VisitCommit {
  readonly visit: Visit;
  readonly settlement: Settlement;
  readonly captures: readonly CaptureFact[];
  /** Set when the visit captured a page (not a robots.txt, sitemap or embedded resource). */
  readonly page?: PageInfo;
  /** Set when the page is not as it was last archived. */
  readonly change?: Change;
  /** URLs that join the frontier, unless this crawl knows them already. */
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
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

/** A pending entry that will not be fetched after all, e.g. because robots.txt says no. */
export interface Denial {
  readonly entryId: number;
  readonly reason: SkipReason;
  readonly detail: string;
}

export interface CommitBatch {
  readonly crawlId: number;
  readonly visits: readonly VisitCommit[];
  readonly denials: readonly Denial[];
  /** Captures outside the frontier: robots.txt, sitemaps. */
  readonly captures: readonly CaptureFact[];
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
  /** Skips as the log of a crawl tells them. */
  readonly skipRules?: readonly SkipRule[];
  /** What the crawl has to tell that belongs to no page. */
  readonly notes?: readonly string[];
  /** Length of each WARC file up to which the catalog now knows it. */
  readonly fileLengths: ReadonlyMap<string, number>;
}

export interface IndexBatch {
  readonly captures: readonly CaptureFact[];
  readonly pages: readonly PageInfo[];
  readonly changes?: readonly Change[];
  readonly fileLengths: ReadonlyMap<string, number>;
  /** The file these captures are of, when more of it is to come: until then it is one to be indexed. */
  readonly unfinishedFile?: string;
}

export interface CommitResult {
  /** Those of `discovered` that were new to the crawl, with their ids. */
  readonly enqueued: readonly FrontierEntry[];
}

/** One URL of a crawl with all that came of it: a line of the crawl's log. */
export interface FrontierLogEntry extends NewFrontierEntry {
  readonly state: 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';
  /** Set when the state is `skipped`. */
  readonly skip?: { readonly reason: SkipReason; readonly detail: string };
  /** In the order they were made. */
  readonly visits: readonly Visit[];
}

export interface FrontierUrl {
  readonly url: string;
  readonly kind: EntryKind;
  readonly isSeed: boolean;
}

/** A part of a crawl's log. */
export interface LogPart {
  /** Entries in this state alone. */
  readonly state?: 'failed';
  /** The first so many. */
  readonly limit?: number;
}

/** A part of the pending entries of a host. */
export interface RankRange {
  /** Ranks from this, below that; all when absent. */
  readonly from?: number;
  readonly to?: number;
  /** Entries of the range to pass over. */
  readonly offset?: number;
}

/** Entries of a host that are alike: how a resumed crawl learns how far it was. */
export interface HostCount {
  readonly host: string;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  readonly band: 'at-once' | 'pages' | 'reserve';
  readonly isPending: boolean;
  readonly entries: number;
}

/** A page of a site with what visits found there. */
export interface PageHistory {
  readonly url: string;
  readonly mime: string;
  /** Of the last payload, in bytes. */
  readonly size: number;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Oldest first; `sha256` is of the payload. */
  readonly visits: readonly { readonly at: Millis; readonly sha256: string }[];
}

/** A page as a finished crawl left it. */
export interface CrawledPage {
  readonly url: string;
  readonly depth: number;
  readonly extraHops: number;
  readonly via?: string;
}

/** A request for a page that the server answered, with its record. */
export interface AnsweredVisit {
  readonly url: string;
  readonly host: string;
  readonly isSeed: boolean;
  readonly via?: string;
  readonly depth: number;
  /** Changes per second; 0 where nobody asked. */
  readonly rate: number;
  readonly pass: 0 | 1;
  readonly outcome: 'captured' | 'unchanged' | 'failed';
  readonly at: Millis;
  readonly status: number;
  /** Media type; of the original, for a revisit record. */
  readonly mime: string;
  readonly recordId: string;
  readonly sha256: string;
}

export interface SiteSummary {
  readonly site: string;
  readonly pages: number;
  readonly captures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
}

export interface PageSummary {
  readonly url: string;
  readonly title: string;
  readonly captures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly lastStatus: number;
}

export interface WarcFile {
  readonly file: string;
  /** Bytes the catalog knows. */
  readonly length: number;
  readonly crawlId?: number;
}

export interface CaptureQuery {
  /** Exact URL, or every URL when absent. */
  readonly url?: string;
  readonly urlPrefix?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly limit?: number;
  /** Rows to pass over. */
  readonly offset?: number;
}

export interface ChangeQuery {
  readonly url?: string;
  readonly site?: string;
  /** By the later of the two captures. */
  readonly since?: Millis;
  readonly until?: Millis;
  readonly minImportance?: number;
  /** Changes with an operation that is all of these; its words stand in old or new text or address. */
  readonly op?: OperationName;
  readonly element?: ChangedElement;
  readonly text?: string;
  /** By importance unless given. */
  readonly sort?: 'importance' | 'time';
  readonly limit?: number;
  readonly offset?: number;
  /** Operations per change, the heaviest. */
  readonly operationLimit?: number;
}

export interface ChangeSummary extends Omit<Change, 'course'> {
  /** Of all its operations, not only of those that were asked for. */
  readonly count: number;
}

/** Newest first. */
export interface VisitQuery {
  readonly crawlId?: number;
  readonly url?: string;
  readonly outcome?: Visit['outcome'];
  /** Those alone that captured their page, but not as they should have: what `CrawlTally.impaired` counts. */
  readonly impaired?: true;
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

/** The catalog: a cache of the WARC files, rebuilt by `reindex`. SQLite and PostgreSQL implement it alike. */
export interface Catalog extends PatternCatalog {
  /** Undefined in one that no archive has claimed: made by an earlier Daguerre, or new. */
  owner(): Promise<CatalogOwner | undefined>;
  /** Notes whom the catalog belongs to, and who writes to it from now on. On disk when it resolves. */
  claim(owner: CatalogOwner): Promise<void>;

  createCrawl(key: string, spec: CrawlSpec, at: Millis): Promise<Crawl>;
  /** The newest crawl with this key that is not finished. */
  unfinishedCrawl(key: string): Promise<Crawl | undefined>;
  setCrawlState(crawlId: number, state: CrawlState, at: Millis): Promise<void>;
  crawls(): Promise<readonly Crawl[]>;
  /** A crawl that is not finished goes on under another spec. */
  changeCrawl(crawlId: number, key: string, spec: CrawlSpec): Promise<void>;
  /** What the crawl told beside its pages, in order. */
  notes(crawlId: number): Promise<readonly string[]>;
  tally(crawlId: number): Promise<CrawlTally>;

  commit(batch: CommitBatch): Promise<CommitResult>;
  /** Facts read back from records rather than made by a crawl: `reindex`, `import`. Twice is as once. */
  index(batch: IndexBatch): Promise<void>;

  /** Hosts that have pending entries, with how many. */
  pendingHosts(crawlId: number): Promise<ReadonlyMap<string, number>>;
  /** Pending entries of a host, lowest rank first, without those whose id is in `except`. */
  pending(
    crawlId: number,
    host: string,
    limit: number,
    except: readonly number[],
    range?: RankRange,
  ): Promise<readonly FrontierEntry[]>;
  /** The whole frontier of a crawl in numbers, skips left out. */
  hostCounts(crawlId: number): Promise<readonly HostCount[]>;
  /** Pages of a site that were captured, with their visits up to the latest 50. */
  pageHistories(site: string): AsyncIterable<PageHistory>;
  /** Pages of a host that the last finished crawl captured there. */
  pagesOfLastCrawl(host: string): AsyncIterable<CrawledPage>;
  /** Pages of a host that were visited and stand in no second pass yet. */
  unplannedRevisits(crawlId: number, host: string): Promise<readonly AnsweredVisit[]>;
  /** Answered visits to the pages of a crawl that were there, first and second pass, page by page. */
  answeredVisits(crawlId: number): AsyncIterable<AnsweredVisit>;
  /** Every URL of a crawl's frontier, settled or not, skips left out: what a resumed crawl must know again. */
  frontierUrls(crawlId: number): AsyncIterable<FrontierUrl>;
  /** The whole frontier with its visits, in the order it grew: written into the records when a crawl ends. */
  frontierLog(crawlId: number, part?: LogPart): AsyncIterable<FrontierLogEntry>;
  /** Turns every pending entry into a skip of this reason: how a limit ends a crawl. Returns how many. */
  skipPending(crawlId: number, reason: Skip['reason'], detail: string): Promise<number>;

  /** The earliest full capture per payload, for those that are known. Keys are sha256. */
  originals(sha256: readonly string[]): Promise<ReadonlyMap<string, PayloadOriginal>>;
  /** Validators of the last full capture with status 200 of a URL. */
  validators(url: string): Promise<Validators | undefined>;

  sites(): Promise<readonly SiteSummary[]>;
  pages(query: {
    site?: string;
    text?: string;
    limit?: number;
    offset?: number;
  }): Promise<readonly PageSummary[]>;
  /** Captures in order of SURT key, then time. Response, revisit and resource records alike. */
  captures(query: CaptureQuery): AsyncIterable<CaptureFact>;
  /** The capture of the URL nearest in time; redirects and errors count, so that replay shows what was. */
  closest(url: string, at: Millis): Promise<CaptureFact | undefined>;
  /**
   * The capture that holds the payload of a revisit: found by sha256, else sha1, else by the URL and time it
   * refers to. Never another revisit, however long the chain. A capture that is no revisit is its own original.
   */
  originalOf(capture: CaptureFact): Promise<CaptureFact | undefined>;
  captureByRecordId(recordId: string): Promise<CaptureFact | undefined>;
  visits(query: VisitQuery): Promise<readonly Visit[]>;
  /** The visits that settled the entries which `tally` counts so, newest first. */
  settledVisits(query: SettledQuery): Promise<readonly Visit[]>;
  /** A sample: the first URLs of each rule. `skipRules` tells how many there were. */
  skips(query: { crawlId: number; reason?: Skip['reason']; limit?: number }): Promise<readonly Skip[]>;
  skipRules(query: { crawlId: number; reason?: Skip['reason'] }): Promise<readonly SkipRule[]>;
  links(query: {
    from?: string;
    to?: string;
    limit?: number;
  }): Promise<readonly { from: string; to: string }[]>;

  changes(query: ChangeQuery): Promise<readonly ChangeSummary[]>;
  /** The last `limit` visits of a page and the changes they found. */
  pageCourse(url: string, limit: number): Promise<PageCourse>;

  warcFiles(): Promise<readonly WarcFile[]>;
  /** Files whose records were committed once and must be indexed again: a rebuild or an import began and did not end. */
  filesToIndex(): Promise<readonly string[]>;
  /** Forgets captures of a file at or past an offset (the file lost its tail) and requeues their visits. */
  forgetTail(file: string, from: number): Promise<number>;
  /** Forgets everything derived from records, before `reindex` rebuilds it. Crawls, frontiers and which crawl wrote a file stay. */
  clearDerived(): Promise<void>;

  close(): Promise<void>;
}
