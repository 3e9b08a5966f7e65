/**
 * How many pages a site has of which nothing was read yet (French web 2002, § 3: "for a new site the number of pages is
 * estimated"): from its URLs that other sites link to, and how many pages sites already read had for each such URL.
 *
 * Ratios of pages to linked URLs spread over powers of ten, so their logarithms are averaged, normal around a prior that
 * counts as one site. The interval is the middle nine tenths of what the next site may have; it is wide, and says so.
 */
export interface SiteSize {
  readonly pages: number;
  /** Its URLs that other sites link to. */
  readonly linked: number;
}

export interface SizeEstimate {
  readonly pages: number;
  readonly low: number;
  readonly high: number;
  /** Number of sites it is learnt from. */
  readonly from: number;
}

/** Before any site was read: about five pages for each URL that others link to, give or take a factor of ten. */
const PRIOR = { mean: Math.log(5), deviation: Math.log(10) / 1.645, weight: 1 } as const;
/** Nine tenths of a normal distribution lie within this many deviations. */
const NINE_TENTHS = 1.645;

export function newSiteSize(linked: number, read: readonly SiteSize[]): SizeEstimate {
  const known = Math.max(1, linked);
  const logs = read
    .filter((site) => site.pages > 0 && site.linked > 0)
    .map((site) => Math.log(site.pages / site.linked));
  const weight = logs.length + PRIOR.weight;
  const mean = (logs.reduce((sum, log) => sum + log, 0) + PRIOR.weight * PRIOR.mean) / weight;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const variance = (squares + PRIOR.weight * (PRIOR.deviation ** 2 + (PRIOR.mean - mean) ** 2)) / weight;
  // For the next site, around a mean that is itself uncertain.
  const spread = NINE_TENTHS * Math.sqrt(variance * (1 + 1 / weight));
  const times = (log: number): number => Math.max(known, Math.round(known * Math.exp(log)));
  return { pages: times(mean), low: times(mean - spread), high: times(mean + spread), from: logs.length };
}
