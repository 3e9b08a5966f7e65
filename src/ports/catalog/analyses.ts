import type { Millis } from '../../model/time.ts';

/** How a stored version was looked at: when it was captured, or later. */
export interface VersionLook {
  /** The capture whose layout shows it; absent where looking at it came to nothing. */
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

/** A capture that holds a page: an HTML answer with status 200. */
export interface StoredVersion {
  readonly at: Millis;
  /** Digest: equal for equal payloads. */
  readonly payload: string;
  /** Absent where nobody looked at it yet. */
  readonly look?: VersionLook;
}

export interface PageVersions {
  readonly url: string;
  /** Oldest first, each moment once. */
  readonly versions: readonly StoredVersion[];
}

/** Which stored versions have been looked at. */
export interface AnalysisCatalog {
  /** Of one page, of a site, of all. Private ones are left out: what is derived of them later would not be private. */
  storedVersions(query: { readonly url?: string; readonly site?: string }): AsyncIterable<PageVersions>;
}
