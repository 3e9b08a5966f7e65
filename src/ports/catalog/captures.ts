import type { CaptureFact, PayloadOriginal, Validators } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';

export interface CaptureQuery {
  /** Exact URL, or every URL when absent. */
  readonly url?: string;
  readonly urlPrefix?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly limit?: number;
  /** Rows to pass over. */
  readonly offset?: number;
  /** Those alone that come after this one. */
  readonly after?: CapturePlace;
}

/** Where a capture stands in the lists. */
export interface CapturePlace {
  readonly url: string;
  readonly at: Millis;
  readonly recordId: string;
}

/** Answers of web servers of a site, or of all. */
export interface LatestQuery {
  readonly site?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly after?: CapturePlace;
  readonly limit: number;
}

/** Lines of the index: captures in the order of their SURT keys, then of time. */
export interface IndexQuery {
  /** SURT keys from the first on, up to the second without it. */
  readonly keys: { readonly from: string; readonly to: string };
  readonly from?: Millis;
  readonly to?: Millis;
  /** The last line first. */
  readonly isReverse?: boolean;
  /** Lines before this place are passed over, and so many of those that stand at it. */
  readonly after?: IndexPlace;
}

export interface IndexPlace {
  readonly surt: string;
  readonly at: Millis;
  /** Lines of this key and time that were read already. */
  readonly read: number;
}

/** A line of the index, and the key under which it stands. */
export interface IndexLine {
  readonly surt: string;
  readonly fact: CaptureFact;
}

/** The captures of a URL around a moment. */
export interface CaptureNeighbours {
  /** At the moment, or the last before it. */
  readonly before?: CaptureFact;
  readonly after?: CaptureFact;
}

/** For which visits something is looked up: those of a crawl that was given secrets may use more than others. */
export type Secrecy = 'public' | 'private';

/** Which records hold what. */
export interface CaptureCatalog {
  /**
   * The earliest full capture per payload, for those that are known. Keys are sha256. Private ones only where `secrecy` says
   * so: public, unless given.
   */
  originals(sha256: readonly string[], secrecy?: Secrecy): Promise<ReadonlyMap<string, PayloadOriginal>>;
  /** Validators of the last full capture with status 200 of a URL; of the same secrecy alone: public, unless given. */
  validators(url: string, secrecy?: Secrecy): Promise<Validators | undefined>;
  /** Captures in order of SURT key, then time. Response, revisit and resource records alike. */
  captures(query: CaptureQuery): AsyncIterable<CaptureFact>;
  /** Newest first. */
  latestCaptures(query: LatestQuery): Promise<readonly CaptureFact[]>;
  /** The capture of the URL nearest in time; redirects and errors count, so that replay shows what was. */
  closest(url: string, at: Millis): Promise<CaptureFact | undefined>;
  /** GET requests of exactly this URL; only where there are none, of those with its SURT key. */
  neighbours(url: string, at: Millis): Promise<CaptureNeighbours>;
  /** However long the list, and however many captures one URL has, a part of it is held in memory. */
  indexLines(query: IndexQuery): AsyncIterable<IndexLine>;
  indexSize(query: Omit<IndexQuery, 'after'>): Promise<number>;
  /**
   * The capture that holds the payload of a revisit: found by sha256, else sha1, else by the URL and time it
   * refers to. Never another revisit, however long the chain. A capture that is no revisit is its own original. Records of
   * `except` (their ids) are passed over: they were found to be damaged.
   */
  originalOf(capture: CaptureFact, except?: readonly string[]): Promise<CaptureFact | undefined>;
  captureByRecordId(recordId: string): Promise<CaptureFact | undefined>;
}
