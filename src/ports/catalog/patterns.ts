import type { LearntPage, LearntSite, PagePattern, PatternGroup, SeenPage } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import type { PageVersionFact, Weighing } from '../../model/version.ts';

/** Where a page stands among the others of its site, once all of them are grouped. */
export interface PatternPlace {
  readonly url: string;
  readonly group: number;
  readonly threshold: number;
}

/** What the archive knows of a page when a visit brings a version. */
export interface PageStanding {
  readonly url: string;
  /** Of the last payload seen, and of the last one stored. */
  readonly lastSha256: string;
  readonly storedSha256: string;
  readonly look?: string;
  /** In the number of the threshold; 0 where the last version was judged by the other. */
  readonly accumulated: number;
  /** With the site's factor; absent before a pattern is learnt. */
  readonly threshold?: number;
  /** What the threshold is in; importance unless given. */
  readonly weigh?: Weighing;
}

/** Of a site, of these pages, of all. */
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
  /** Pages of a site of which captures came after the mark, some at a time, each with the sightings that are new. */
  seenPages(site: string, after: number): AsyncIterable<readonly SeenPage[]>;
  /** All sightings of these pages. */
  sightings(urls: readonly string[]): Promise<readonly SeenPage[]>;
  /** Pages of a site that are in the archive, as the next visit must know them. */
  pageStandings(site: string): AsyncIterable<PageStanding>;
  /** Newest first. */
  versions(query: VersionQuery): Promise<readonly PageVersionFact[]>;

  learntSite(site: string): Promise<LearntSite | undefined>;
  /** By name of the kind, then number. */
  patternGroups(site: string): Promise<readonly PatternGroup[]>;
  /** By URL. */
  pagePatterns(query: PatternsOf): AsyncIterable<PagePattern>;
  /** In place of what was learnt of these pages before; group and threshold come with `settlePatterns`. */
  learnPages(site: string, pages: readonly LearntPage[]): Promise<void>;
  /** All that was learnt of a site. */
  forgetPatterns(site: string): Promise<void>;
  /** Places, groups and the site itself, in one transaction. */
  settlePatterns(
    learnt: LearntSite,
    groups: readonly PatternGroup[],
    places: readonly PatternPlace[],
  ): Promise<void>;
}
