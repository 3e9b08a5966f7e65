import type { LearntPage, LearntSite, PagePattern, PatternGroup, SeenPage } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import type { PageVersionFact, Weighing } from '../../model/version.ts';

/** A page's place among the others of its site, once all of them are grouped. */
export interface PatternPlace {
  readonly url: string;
  readonly group: number;
  readonly threshold: number;
}

/** What the archive knows of a page when a visit brings a version. */
export interface PageStanding {
  readonly url: string;
  /** Digests of the last payload seen, and of the last one stored. */
  readonly lastSha256: string;
  readonly storedSha256: string;
  readonly look?: string;
  /** In the unit of the threshold; 0 where the last version was judged in the other unit. */
  readonly accumulated: number;
  /** Includes the site's factor; absent before a pattern is learnt. */
  readonly threshold?: number;
  /** The unit of the threshold; importance unless given. */
  readonly weigh?: Weighing;
}

/** Of one site, of these pages, or of all. */
export interface PatternsOf {
  readonly site?: string;
  readonly urls?: readonly string[];
}

export interface VersionQuery {
  readonly url?: string;
  readonly site?: string;
  readonly since?: Millis;
  readonly limit?: number;
}

/** The part of the catalog that holds versions and what was learnt from them. */
export interface PatternCatalog {
  /** Grows with every capture: what was learnt up to a mark need not be read again. */
  captureMark(): Promise<number>;
  /** Pages of a site that have captures after the mark, in batches, each with its new sightings. */
  seenPages(site: string, after: number): AsyncIterable<readonly SeenPage[]>;
  /** All sightings of these pages. */
  sightings(urls: readonly string[]): Promise<readonly SeenPage[]>;
  /** Archived pages of a site, with what the next visit must know of them. */
  pageStandings(site: string): AsyncIterable<PageStanding>;
  /** Newest first. */
  versions(query: VersionQuery): Promise<readonly PageVersionFact[]>;

  learntSite(site: string): Promise<LearntSite | undefined>;
  /** By kind name, then number. */
  patternGroups(site: string): Promise<readonly PatternGroup[]>;
  /** By URL. */
  pagePatterns(query: PatternsOf): AsyncIterable<PagePattern>;
  /** Replaces what was learnt of these pages before; group and threshold are set by `settlePatterns`. */
  learnPages(site: string, pages: readonly LearntPage[]): Promise<void>;
  /** Forgets everything learnt about a site. */
  forgetPatterns(site: string): Promise<void>;
  /** Stores places, groups and the site itself, in one transaction. */
  settlePatterns(
    learnt: LearntSite,
    groups: readonly PatternGroup[],
    places: readonly PatternPlace[],
  ): Promise<void>;
}
