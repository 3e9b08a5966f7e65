import type { SiteBounds, SiteRule } from '../../model/site-bounds.ts';

/** The result of changing the rules. */
export interface MovedPages {
  /** URLs that now belong to another site. */
  readonly urls: number;
  /** Sites whose set of pages changed: what was learnt of them is forgotten. */
  readonly sites: readonly string[];
}

/** What counts as a site: the rules that every row of the catalog follows. */
export interface SiteCatalog {
  siteBounds(): SiteBounds;
  /** Reassigns every row to its site, in one transaction. */
  setSiteRules(rules: readonly SiteRule[]): Promise<MovedPages>;
}
