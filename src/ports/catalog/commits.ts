import type { Alert } from '../../model/alert.ts';
import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { Change } from '../../model/change.ts';
import type { FrontierEntry, NewFrontierEntry, Skip, Visit } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { InferredDirectory, VirtualDirectory } from '../../model/inference.ts';
import type { Suspect } from '../../model/perimeter.ts';
import type { DeltaPage, SiteHistory } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import type { VersionAnalysis } from '../../model/version-analysis.ts';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { SkipRule } from './results.ts';

/** How a frontier entry leaves the queue, or goes back to it. */
export type Settlement =
  | { readonly entryId: number; readonly state: 'captured' | 'unchanged' | 'dropped' | 'failed' }
  | { readonly entryId: number; readonly state: 'deferred'; readonly notBefore: Millis };

/** What one finished visit changes; written in one transaction with others. */
export interface VisitCommit {
  readonly visit: Visit;
  readonly settlement: Settlement;
  readonly captures: readonly CaptureFact[];
  /** Set when the visit captured a page (not a robots.txt, sitemap or embedded resource). */
  readonly page?: PageInfo;
  /** Where the answer led, when it was a redirect of a page. */
  readonly redirect?: string;
  /** Set when the page differs from its last archived version. */
  readonly change?: Change;
  /** Its snapshot is archived, to be analysed later: it waits for that from this commit on. */
  readonly analyseLater?: true;
  /** URLs that join the frontier, unless this crawl knows them already. */
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
  /**
   * Entries of this crawl that are in its frontier without a link, and that this visit links to: from now on this is
   * where they were found.
   */
  readonly linked?: readonly string[];
  /** URLs it names, with their standing to the perimeter of the crawl. */
  readonly suspects?: readonly Suspect[];
  /** The alerts that rules raised on it. */
  readonly alerts?: readonly Alert[];
  /** For a watch in another process, which learns from it. */
  readonly lesson?: VisitLesson;
}

/** A pending entry that will not be fetched after all, e.g. because robots.txt says no. */
export interface Denial {
  readonly entryId: number;
  readonly reason: SkipReason;
  readonly detail: string;
}

/** A pending entry that leaves the queue uncounted: its directory is taken for unchanged, and counts it. */
export interface KeptEntry {
  readonly entryId: number;
  readonly url: string;
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
  readonly kept?: readonly KeptEntry[];
  /** Replaces what was decided on the same directories before. */
  readonly inferred?: readonly InferredDirectory[];
  /** URLs whose standing to a perimeter was not reported by any visit. */
  readonly suspects?: readonly Suspect[];
  /** The new weights by which on-line importance pays pages, for those in this batch. */
  readonly relevances?: readonly PageRelevance[];
  /** Left to the records of other archives. */
  readonly virtual?: readonly VirtualDirectory[];
  /** What the crawl reports that belongs to no page. */
  readonly notes?: readonly string[];
  /** Length of each WARC file up to which the catalog knows it after this batch. */
  readonly fileLengths: ReadonlyMap<string, number>;
}

export interface PageRelevance {
  readonly url: string;
  readonly relevance: number;
}

/** A URL that led to another. */
export interface SeenRedirect {
  readonly url: string;
  readonly to: string;
  readonly at: Millis;
}

export interface IndexBatch {
  readonly captures: readonly CaptureFact[];
  readonly pages: readonly PageInfo[];
  readonly redirects?: readonly SeenRedirect[];
  readonly changes?: readonly Change[];
  /** About captures that were made before; they replace what was known of the same captures. */
  readonly analyses?: readonly IndexedAnalysis[];
  /** Of other archives; they are added to what is known of the same pages and sites. */
  readonly histories?: ImportedHistories;
  readonly fileLengths: ReadonlyMap<string, number>;
  /** The file that these captures are in, when more of it is to come: until then it still has to be indexed. */
  readonly unfinishedFile?: string;
}

export interface IndexedAnalysis {
  readonly analysis: VersionAnalysis;
  /** Of its records. */
  readonly eventId: string;
  /** From its delta, where it has one. */
  readonly change?: Change;
}

export interface ImportedHistories {
  readonly sites: readonly SiteHistory[];
  /** Each with the site that it is listed under. */
  readonly pages: readonly (DeltaPage & { readonly site: string })[];
}

export interface CommitResult {
  /** Those of `discovered` that were new to the crawl, with their ids. */
  readonly enqueued: readonly FrontierEntry[];
}

export interface IndexResult {
  /** Captures that the catalog lists elsewhere: the same record is in two files, or twice in one. */
  readonly elsewhere: readonly CaptureFact[];
}

/** How a crawl, an import or a rebuild writes what it found. */
export interface CommitCatalog {
  commit(batch: CommitBatch): Promise<CommitResult>;
  /** Facts read back from records rather than made by a crawl: `reindex`, `import`. Idempotent. */
  index(batch: IndexBatch): Promise<IndexResult>;
}
