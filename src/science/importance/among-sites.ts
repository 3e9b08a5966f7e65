/**
 * Importance that no site can give itself: what a site has is decided by the sites that link to it, each counted once, and each
 * hands on equal shares to the sites it links to (the paper's *outdegree*); jumps lead to each site equally often. Inside the
 * site, pages share that in proportion to their own importance.
 *
 *   I(p) = I_between(S) · X(p) ÷ Σ_{q in S} X(q)
 *
 * Links inside a site, and pages that it makes up, move importance among its pages and add nothing: with a million links to
 * itself a site has exactly what it had. The virtual page pays each page, so that by X alone a site of a million pages would take
 * most of the importance. Made-up sites are not held off: see teleport.ts.
 */
import { type SitesOfPages, siteImportance, sumOfPages } from './site-importance.ts';

/** Sums to 1 over pages, except where all pages of a site have none. */
export function amongSites(pages: SitesOfPages, importance: ArrayLike<number>): Float64Array {
  const { siteOf, sites } = pages;
  const between = siteImportance(pages, 'outdegree', {
    siteJumps: new Float64Array(sites).fill(sites === 0 ? 0 : 1 / sites),
  });
  const sums = sumOfPages(pages, importance);
  return Float64Array.from(siteOf, (site, page) => {
    const sum = sums[site] as number;
    return sum === 0 ? 0 : ((between[site] as number) * (importance[page] as number)) / sum;
  });
}
