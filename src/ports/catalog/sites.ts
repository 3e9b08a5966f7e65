import type { SiteBounds, SiteRule } from '../../model/site-bounds.ts';

/** What came of other rules. */
export interface MovedPages {
  /** URLs that are of another site now. */
  readonly urls: number;
  /** Sites that have other pages than before: what was learnt of them is forgotten. */
  readonly sites: readonly string[];
}

/** What is a site: the rules that every row of the catalog follows. */
export interface SiteCatalog {
  siteBounds(): SiteBounds;
  /** Every row gets its site anew, in one transaction. */
  setSiteRules(rules: readonly SiteRule[]): Promise<MovedPages>;
}
