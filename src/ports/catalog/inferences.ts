import type { Truncation } from '../../model/exchange.ts';
import type { InferredDirectory, VirtualDirectory } from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';

export interface StoredInference extends InferredDirectory {
  readonly crawlId: number;
}

/** The archived version that a page keeps: the record of the last answer that showed it. */
export interface KeptVersion {
  readonly at: Millis;
  readonly recordId: string;
  readonly sha256: string;
  readonly status: number;
  /** Why it is not whole. */
  readonly truncated?: Truncation;
}

/** What crawls took for unchanged and did not visit. */
export interface InferenceCatalog {
  /** By crawl, and in the order of the plan. */
  inferences(of: { readonly crawlId?: number; readonly site?: string }): Promise<readonly StoredInference[]>;
  /** What a crawl left to the records of other archives, in the order of the plan. */
  virtualDirectories(of: { readonly crawlId: number }): Promise<readonly VirtualDirectory[]>;
  /** The directories of a site, without their pages, which would be listed once per crawl. */
  inferredDirectories(
    site: string,
  ): Promise<readonly Pick<StoredInference, 'crawlId' | 'directory' | 'state'>[]>;
  /** By URL, for those that existed before this time. */
  keptVersions(urls: readonly string[], before: Millis): Promise<ReadonlyMap<string, KeptVersion>>;
}
