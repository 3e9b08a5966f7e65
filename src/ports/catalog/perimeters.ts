import type { Suspect } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';

/** A URL's standing to a perimeter when it was last judged: as a page that was read, or as a suspect. */
export interface PerimeterUrl extends Suspect {
  readonly isRead: boolean;
  /** When it was first read, by whatever crawl; absent for URLs that never were. */
  readonly firstReadAt?: Millis;
}

export interface PerimeterQuery {
  readonly perimeter?: string;
  readonly url?: string;
  readonly isRead?: boolean;
  /** Highest chance first; otherwise in catalog order. */
  readonly byChance?: true;
  readonly limit?: number;
}

export interface PerimeterCounts {
  /** Pages read since. */
  readonly inside: number;
  readonly outside: number;
  /** Known URLs that were not read, whenever they were found. */
  readonly suspects: number;
  /** Those of the suspects that are believed to belong. */
  readonly believed: number;
}

/** Verdicts on URLs, and what is needed to judge them again. */
export interface PerimeterCatalog {
  perimeterUrls(query: PerimeterQuery): AsyncIterable<PerimeterUrl>;
  perimeterCounts(perimeter: string, since: Millis): Promise<PerimeterCounts>;
  /** Names of the perimeters for which anything was judged. */
  perimeters(): Promise<readonly string[]>;
  /** By page: what its captures link to; for a redirect, where it leads. */
  linksFrom(urls: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}
