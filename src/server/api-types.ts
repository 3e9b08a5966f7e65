import type { CountedInference, InferenceCounts } from '../access/inference-counts.ts';
import type { Crawl, CrawlTally, Visit } from '../model/crawl.ts';
import type { SiteRule } from '../model/site-bounds.ts';
import type { Millis } from '../model/time.ts';

/** What `/api/` answers: the one contract between this server, its web page and scripts. */

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
  /** Content security policies of replayed documents; `unguarded`: what the guard cannot be put into. */
  readonly policies: Readonly<Record<ReplayMode | 'unguarded', string>>;
  readonly permissions: string;
}

/** What was wrong with a version that was captured all the same. */
export type Impairment = NonNullable<Visit['fault']>;

export interface SiteRow {
  readonly site: string;
  readonly pages: number;
  readonly captures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
}

export interface PageRow {
  readonly url: string;
  readonly title: string;
  readonly captures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly lastStatus: number;
  /** Of the last capture. */
  readonly impaired?: Impairment;
}

/** A slice of a longer list. `next` is the offset that goes on; absent at the end. */
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly next?: number;
}

export interface ListedCapture {
  readonly url: string;
  readonly at: Millis;
  /** 14 or 17 digits: what replay URLs hold. */
  readonly timestamp: string;
  readonly type: 'response' | 'revisit' | 'resource' | 'metadata';
  readonly method: string;
  readonly status: number;
  readonly mime: string;
  /** Bytes of the payload. */
  readonly size: number;
  /** Bytes the record takes in its file. */
  readonly stored: number;
  /** Against the capture before it. */
  readonly change: 'first' | 'changed' | 'same';
  readonly sha256: string;
  readonly truncated?: string;
  readonly impaired?: Impairment;
  /** Its layout, or the one before, showed only a part of the page: there may be more changes than were found. */
  readonly partialChange?: true;
  readonly file: string;
  readonly offset: number;
}

export interface CrawlRow extends Crawl {
  readonly tally: CrawlTally;
  /** Pages that were not visited and are taken for unchanged; null where every page was visited. */
  readonly inferred: InferenceCounts | null;
  /** What it told beside its pages. */
  readonly notes: readonly string[];
}

/** A directory that a crawl took for unchanged, in the order of its plan. */
export type InferredRow = CountedInference;

export interface ApiError {
  /** What happened. */
  readonly error: string;
  /** What to do about it. */
  readonly hint: string;
}
