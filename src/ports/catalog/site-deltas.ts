import type { DeltaPage, PageAccess, SiteHistory } from '../../model/site-delta.ts';

/** A page of a site: what this archive did there, and what histories of other archives tell. */
export interface AccessedPage extends DeltaPage {
  /** Of this archive, oldest first, each moment once; `documents` are of the others. */
  readonly accesses: readonly PageAccess[];
}

/** Histories of sites, access by access. */
export interface SiteDeltaCatalog {
  /** Sites with a page, archived or told of, by name. */
  historySites(): Promise<readonly string[]>;
  /** In order of SURT key, then URL. */
  accessedPages(site: string): AsyncIterable<AccessedPage>;
  /** Pages that histories of other archives tell of, in no order. */
  importedPages(site: string): AsyncIterable<DeltaPage>;
  /** What they tell of the site; undefined where none does. */
  importedHistory(site: string): Promise<SiteHistory | undefined>;
  /** Runs work that goes through more rows than memory should hold, each once: little of them is remembered meanwhile. */
  inPassing<T>(work: () => Promise<T>): Promise<T>;
}
