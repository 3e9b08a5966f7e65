import type { CaptureFact, PayloadOriginal, Validators } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';

export interface CaptureQuery {
  /** Exact URL, or every URL when absent. */
  readonly url?: string;
  readonly urlPrefix?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly limit?: number;
  /** Rows to skip. */
  readonly offset?: number;
  /** Only those that come after this one. */
  readonly after?: CapturePlace;
}

/** A capture's place in the lists. */
export interface CapturePlace {
  readonly url: string;
  readonly at: Millis;
  readonly recordId: string;
}

/** Answers of the web servers of one site, or of all. */
export interface LatestQuery {
  readonly site?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly after?: CapturePlace;
  readonly limit: number;
}

/** Lines of the index: captures in order of SURT key, then time. */
export interface IndexQuery {
  /** SURT keys in [from, to). */
  readonly keys: { readonly from: string; readonly to: string };
  readonly from?: Millis;
  readonly to?: Millis;
  /** Last line first. */
  readonly isReverse?: boolean;
  /** Skips the lines before this place, and the first `read` of those at it. */
  readonly after?: IndexPlace;
}

export interface IndexPlace {
  readonly surt: string;
  readonly at: Millis;
  /** Lines with this key and time that were already read. */
  readonly read: number;
}

/** A line of the index, and its key. */
export interface IndexLine {
  readonly surt: string;
  readonly fact: CaptureFact;
}

/** The captures of a URL around a moment. */
export interface CaptureNeighbours {
  /** At the moment, or the last one before it. */
  readonly before?: CaptureFact;
  readonly after?: CaptureFact;
}

/**
 * The kind of visit that something is looked up for: those of a crawl that was given secrets may use more than
 * others.
 */
export type Secrecy = 'public' | 'private';

/** Which records hold what. */
export interface CaptureCatalog {
  /**
   * The earliest full capture per payload, for known ones. Keys are sha256. Private captures only if `secrecy` allows;
   * public unless given.
   */
  originals(sha256: readonly string[], secrecy?: Secrecy): Promise<ReadonlyMap<string, PayloadOriginal>>;
  /** Validators of the last full capture of a URL with status 200, of exactly this secrecy; public unless given. */
  validators(url: string, secrecy?: Secrecy): Promise<Validators | undefined>;
  /** Captures in order of SURT key, then time. Includes response, revisit and resource records. */
  captures(query: CaptureQuery): AsyncIterable<CaptureFact>;
  /** Newest first. */
  latestCaptures(query: LatestQuery): Promise<readonly CaptureFact[]>;
  /** The capture of the URL nearest in time; redirects and errors count, so that replay shows what was there. */
  closest(url: string, at: Millis): Promise<CaptureFact | undefined>;
  /** GET requests of exactly this URL; only if there are none, those with its SURT key. */
  neighbours(url: string, at: Millis): Promise<CaptureNeighbours>;
  /** However long the list, and however many captures one URL has, only part of it is held in memory. */
  indexLines(query: IndexQuery): AsyncIterable<IndexLine>;
  indexSize(query: Omit<IndexQuery, 'after'>): Promise<number>;
  /**
   * The capture that holds the payload of a revisit: found by sha256, else sha1, else by the URL and time it refers to.
   * Never another revisit, however long the chain. A capture that is not a revisit is its own original. Records in
   * `except` (ids) are skipped: they were found to be damaged.
   */
  originalOf(capture: CaptureFact, except?: readonly string[]): Promise<CaptureFact | undefined>;
  captureByRecordId(recordId: string): Promise<CaptureFact | undefined>;
}
