import type { DeltaPage, PageAccess, SiteHistory } from '../../model/site-delta.ts';

/** A page of a site: what this archive did there, and what histories of other archives tell. */
export interface AccessedPage extends DeltaPage {
  /** By this archive, oldest first, one per moment; `documents` are from the others. */
  readonly accesses: readonly PageAccess[];
}

/** Histories of sites, access by access. */
export interface SiteDeltaCatalog {
  /** Sites with a page, archived or told of by others, by name. */
  historySites(): Promise<readonly string[]>;
  /** In order of SURT key, then URL. */
  accessedPages(site: string): AsyncIterable<AccessedPage>;
  /** Pages that histories of other archives tell of, unordered. */
  importedPages(site: string): AsyncIterable<DeltaPage>;
  /** What they tell of the site; undefined where none does. */
  importedHistory(site: string): Promise<SiteHistory | undefined>;
  /** Runs work that passes once over more rows than memory should hold: little is cached meanwhile. */
  inPassing<T>(work: () => Promise<T>): Promise<T>;
}
