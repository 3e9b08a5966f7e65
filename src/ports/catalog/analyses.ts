import type { Millis } from '../../model/time.ts';

/** How a stored version was looked at: when it was captured, or later. */
export interface VersionLook {
  /** The capture whose layout shows it; absent where the look produced nothing. */
  readonly layoutAt?: Millis;
  /** The capture whose layout it was compared with. */
  readonly comparedAt?: Millis;
  readonly madeAt: Millis;
  /** Absent where the crawl made it. */
  readonly analyser?: string;
  /** See VersionAnalysis. */
  readonly recut: boolean;
  readonly facts: readonly string[];
}

/**
 * A capture that holds a page: an HTML answer with status 200, or one that is still valid according to the server and
 * was looked at.
 */
export interface StoredVersion {
  readonly at: Millis;
  /** Digest: equal for equal payloads. */
  readonly payload: string;
  /** Absent where nobody has looked at it yet. */
  readonly look?: VersionLook;
  /** Nobody has analysed it, but its snapshot is archived. */
  readonly isSeen?: true;
}

export interface PageVersions {
  readonly url: string;
  /** Oldest first, one per moment. */
  readonly versions: readonly StoredVersion[];
}

/** Of one page, of a site, of all. */
export interface StoredVersionQuery {
  readonly url?: string;
  readonly site?: string;
  /** Private ones as well: they are left out otherwise, as what is derived of them later would not be private. */
  readonly withPrivate?: true;
}

/** Which stored versions have been looked at. */
export interface AnalysisCatalog {
  storedVersions(query: StoredVersionQuery): AsyncIterable<PageVersions>;
  /** Number of pages with private captures. */
  privatePages(): Promise<number>;
}
