import type { Suspect } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';

/** How a URL stood to a perimeter when it was judged last: as a page that was read, or as a suspect. */
export interface PerimeterUrl extends Suspect {
  readonly isRead: boolean;
  /** When it was first read, by whatever crawl; absent of what never was. */
  readonly firstReadAt?: Millis;
}

export interface PerimeterQuery {
  readonly perimeter?: string;
  readonly url?: string;
  readonly isRead?: boolean;
  /** In the order of chances, the highest first; else in that of the catalog. */
  readonly byChance?: true;
  readonly limit?: number;
}

export interface PerimeterCounts {
  /** Pages read since. */
  readonly inside: number;
  readonly outside: number;
  /** Known URLs that were not read, whenever they were found: those believed to belong, the others. */
  readonly believed: number;
  readonly suspects: number;
}

/** Verdicts on URLs, and what it takes to judge them again. */
export interface PerimeterCatalog {
  perimeterUrls(query: PerimeterQuery): AsyncIterable<PerimeterUrl>;
  perimeterCounts(perimeter: string, since: Millis): Promise<PerimeterCounts>;
  /** Names of the perimeters that anything was judged for. */
  perimeters(): Promise<readonly string[]>;
  /** By page: what its captures link to; of a redirect, where it leads. */
  linksFrom(urls: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}
