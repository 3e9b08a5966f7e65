import type { Crawl, CrawlTally, Skip, Visit } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';

/** What `/api/` answers: the one contract between this server, its web page and scripts. */

export interface ArchiveInfo {
  readonly collection: string;
  /** Origin that replays captures, without a trailing slash. */
  readonly replayUrl: string;
}

/** `/loader/config.json` of the replay origin: what the loader hands to wabac. */
export interface LoaderConfig {
  readonly name: string;
  readonly sourceUrl: string;
  readonly extraConfig: Readonly<Record<string, unknown>>;
}

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
}

/** A slice of a longer list. `next` is the offset that goes on; absent at the end. */
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly next?: number;
}

export interface CaptureRow {
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
  readonly file: string;
  readonly offset: number;
}

export interface CrawlRow extends Crawl {
  readonly tally: CrawlTally;
}

export type VisitRow = Visit;
export type SkipRow = Skip;

export interface ApiError {
  /** What happened. */
  readonly error: string;
  /** What to do about it. */
  readonly hint: string;
}
