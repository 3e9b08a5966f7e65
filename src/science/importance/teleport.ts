/**
 * Where jumps lead, as relevance of pages: what determines the shares of PageRank's jumps and OPIC's virtual page.
 *
 * If all pages are paid equally, a site is paid for every page that it makes up: a farm of k pages among n gets k ÷ (n + k) of all
 * jumps, and can hand all of it to one page. If all sites are paid equally and their pages share that, pages that a site
 * makes up take only from one another. In both cases what a site can keep, however it links to itself, is bounded by what comes in:
 *
 *   I(S) ≤ (jumps to S + damping · importance of the links to S from outside) ÷ (1 − damping)
 *
 * since of what its pages hold at most the damping stays on links. A million links of a page to itself count as none, a million
 * from one page to another as one (link-graph.ts). Against sites that are made up as well, only a relevance that is earned helps:
 * that of a perimeter, or of people's decisions.
 */
import type { SitesOfPages } from './site-importance.ts';

/** The smallest share that a page is paid: if no page were relevant, sums would be rounding errors. */
const LEAST_RELEVANCE = 0.001;

/** What jumps pay a page, from its chance to belong to a perimeter: importance is then that of the perimeter. */
export const relevanceOfChance = (chance: number): number => Math.max(LEAST_RELEVANCE, chance);

/** Every site gets the same total, shared by the relevance of its pages; equally unless given. */
export function relevanceBySite(
  { siteOf, sites }: Pick<SitesOfPages, 'siteOf' | 'sites'>,
  relevance?: ArrayLike<number>,
): Float64Array {
  const sums = new Float64Array(sites);
  const of = (page: number): number => (relevance ? (relevance[page] as number) : 1);
  siteOf.forEach((site, page) => {
    sums[site] = (sums[site] as number) + of(page);
  });
  return Float64Array.from(siteOf, (site, page) => {
    const sum = sums[site] as number;
    return sum > 0 ? of(page) / sum : 0;
  });
}

/** The most that a site can have, given what leads to it from outside. */
export function mostImportance(
  incoming: { readonly jumps: number; readonly links: number },
  damping: number,
): number {
  return Math.min(1, (incoming.jumps + damping * incoming.links) / (1 - damping));
}
