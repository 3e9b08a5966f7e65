/** Importance of sites by the theorem, and by each of the cheaper weights: what a report compares. */
import { largestOfPages, type SitesOfPages, siteImportance, sumOfPages } from './site-importance.ts';

export const SITE_MEASURES = ['theorem', 'uniform', 'outdegree', 'local', 'maximum', 'interSite'] as const;
export type SiteMeasure = (typeof SITE_MEASURES)[number];

/** By number of the site; each sums to 1. `importance` is that of pages, by PageRank or as computed on-line. */
export function siteValues(
  pages: SitesOfPages,
  importance: ArrayLike<number>,
  damping?: number,
): Readonly<Record<SiteMeasure, Float64Array>> {
  const options = damping === undefined ? {} : { damping };
  return {
    theorem: sumOfPages(pages, importance),
    uniform: siteImportance(pages, 'uniform', options),
    outdegree: siteImportance(pages, 'outdegree', options),
    local: siteImportance(pages, 'local', options),
    maximum: largestOfPages(pages, importance),
    interSite: siteImportance(pages, 'inter-site', { ...options, importance }),
  };
}
