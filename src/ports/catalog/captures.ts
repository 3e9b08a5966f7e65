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
}

/** Which records hold what. */
export interface CaptureCatalog {
  /** The earliest full capture per payload, for those that are known. Keys are sha256. */
  originals(sha256: readonly string[]): Promise<ReadonlyMap<string, PayloadOriginal>>;
  /** Validators of the last full capture with status 200 of a URL. */
  validators(url: string): Promise<Validators | undefined>;
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
}
