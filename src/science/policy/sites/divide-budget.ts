/**
 * Discovery against refresh (French web 2002, § 3): part of the pages that may be read goes to sites known only from links,
 * as librarians set what portion of their web they intend to hold; the rest goes to sites that are archived. What one
 * side cannot use, the other may.
 *
 * One step at a time: `nextSite` decides, and the crawling caller calls it again with what was spent.
 */
export const SIDES = ['refresh', 'discovery'] as const;
export type Side = (typeof SIDES)[number];

export interface SiteBudget {
  /** Page visits. */
  readonly pages: number;
  /** Share of them for discovery, in [0, 1]. */
  readonly discovery: number;
}

export interface SiteCandidate {
  readonly site: string;
  /** Pages that reading it will take. */
  readonly pages: number;
}

/** The most urgent first. */
export type Candidates<C extends SiteCandidate> = Readonly<Record<Side, readonly C[]>>;

export interface ChosenSite<C extends SiteCandidate> {
  readonly candidate: C;
  readonly side: Side;
  /** Pages that its crawl may visit. */
  readonly limit: number;
  /** It has more pages than the whole budget: it is read as far as that goes. */
  readonly isPart: boolean;
}

/**
 * The most urgent site that fits whole: first into what is left of its own side's part, then into whatever is left. A site
 * larger than the whole budget would never be read, so it may begin a run, and then gets all of it.
 */
export function nextSite<C extends SiteCandidate>(
  candidates: Candidates<C>,
  spent: Readonly<Record<Side, number>>,
  { pages, discovery }: SiteBudget,
): ChosenSite<C> | undefined {
  const left = pages - spent.refresh - spent.discovery;
  if (left < 1) return undefined;
  const forDiscovery = Math.floor(pages * discovery);
  const part = { refresh: pages - forDiscovery, discovery: forDiscovery };
  const chosen = (side: Side, room: number): ChosenSite<C> | undefined => {
    const candidate = candidates[side].find((one) => one.pages <= room);
    return candidate && { candidate, side, limit: left, isPart: false };
  };
  const isFirst = spent.refresh + spent.discovery === 0;
  for (const side of SIDES) {
    const [first] = candidates[side];
    if (isFirst && first && first.pages > pages && part[side] > 0)
      return { candidate: first, side, limit: left, isPart: true };
  }
  for (const side of SIDES) {
    const own = chosen(side, Math.min(left, part[side] - spent[side]));
    if (own) return own;
  }
  return chosen('refresh', left) ?? (discovery > 0 ? chosen('discovery', left) : undefined);
}
