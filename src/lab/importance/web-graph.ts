/**
 * An invented graph of links, drawn row by row into typed arrays, so that 50,000,000 links take 4 bytes each and nothing more.
 *
 * Sites have sizes by a power law; of the links of a page three in four stay on its site, as on the web. Their targets follow a
 * power law, too: few pages of few sites get most links. In-degrees turn out with an exponent of 2.1 to 2.2 over 200,000 pages
 * (Hill's estimate of the upper 0.1 to 2 %), as crawls of the web find (2.1: Broder et al., *Graph structure in the Web*, 2000);
 * out-degrees have 2.7. One page in ten links nowhere.
 */
import type { LinkGraph } from '../../science/importance/link-graph.ts';
import type { SitesOfPages } from '../../science/importance/site-importance.ts';

export interface WebShape {
  readonly pages: number;
  readonly sites: number;
  /** Mean number drawn; a page that draws the same target twice has one link fewer. */
  readonly linksPerPage: number;
}

const DANGLING = 0.1;
const INSIDE = 0.75;
/** Exponent of links' targets, by rank: r^−POPULARITY for sites, and for the pages of one site. */
const POPULARITY = 1.25;
/** Exponent of the sizes of sites, by rank. */
const SIZES = 0.8;
/** Out-degree exponent 2.7, less 1. */
const OUT_TAIL = 1.7;
const MOST_LINKS = 500;

/** The most popular site comes first, and in each site its most popular page. */
export function webGraph({ pages, sites, linksPerPage }: WebShape, random: () => number): SitesOfPages {
  const starts = siteStarts(pages, sites, random);
  const siteOf = new Int32Array(pages);
  for (let site = 0; site < sites; site++) siteOf.fill(site, starts[site], starts[site + 1]);
  const degrees = outDegrees(pages, linksPerPage, random);
  let drawn = 0;
  for (const degree of degrees) drawn += degree;
  const offsets = new Int32Array(pages + 1);
  const targets = new Int32Array(drawn);
  const pageOf = (site: number): number => {
    const first = starts[site] as number;
    return first + zipf((starts[site + 1] as number) - first, random());
  };
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    const end = kept + (degrees[page] as number);
    const site = siteOf[page] as number;
    for (let k = kept; k < end; k++) targets[k] = pageOf(random() < INSIDE ? site : zipf(sites, random()));
    kept = keepOnce(targets, kept, end, page);
    offsets[page + 1] = kept;
  }
  return { graph: { pages, offsets, targets: targets.subarray(0, kept) }, siteOf, sites };
}

/** The same pages and sites; for one page in `oneIn`, the links are redrawn. */
export function rewired(before: SitesOfPages, after: SitesOfPages, oneIn: number): LinkGraph {
  const { pages } = before.graph;
  const graphOf = (page: number): LinkGraph => (page % oneIn === oneIn - 1 ? after : before).graph;
  const offsets = new Int32Array(pages + 1);
  for (let page = 0; page < pages; page++) {
    const { offsets: rows } = graphOf(page);
    offsets[page + 1] = (offsets[page] as number) + (rows[page + 1] as number) - (rows[page] as number);
  }
  const targets = new Int32Array(offsets[pages] as number);
  for (let page = 0; page < pages; page++) {
    const { offsets: rows, targets: links } = graphOf(page);
    targets.set(links.subarray(rows[page], rows[page + 1]), offsets[page]);
  }
  return { pages, offsets, targets };
}

/**
 * First page of each site, followed by the number of pages; every site has at least one. Size is independent of
 * popularity.
 */
function siteStarts(pages: number, sites: number, random: () => number): Int32Array {
  const sizes = Float64Array.from({ length: sites }, (_, rank) => (rank + 1) ** -SIZES);
  for (let i = sites - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [sizes[i], sizes[j]] = [sizes[j] as number, sizes[i] as number];
  }
  const sum = sizes.reduce((all, one) => all + one, 0);
  const starts = new Int32Array(sites + 1);
  let before = 0;
  for (let site = 0; site < sites; site++) {
    starts[site] = site + Math.floor(((pages - sites) * before) / sum);
    before += sizes[site] as number;
  }
  starts[sites] = pages;
  return starts;
}

function outDegrees(pages: number, linksPerPage: number, random: () => number): Uint16Array {
  // The mean of a Pareto tail is least × tail ÷ (tail − 1).
  const least = (linksPerPage * (OUT_TAIL - 1)) / OUT_TAIL / (1 - DANGLING);
  return Uint16Array.from({ length: pages }, () =>
    random() < DANGLING ? 0 : Math.min(MOST_LINKS, Math.round(least * (1 - random()) ** (-1 / OUT_TAIL))),
  );
}

/** A rank r below n, with a probability roughly proportional to (r + 1)^−POPULARITY, by inversion. */
function zipf(n: number, chance: number): number {
  const last = (n + 1) ** (1 - POPULARITY);
  return Math.min(n - 1, Math.floor((1 + chance * (last - 1)) ** (1 / (1 - POPULARITY))) - 1);
}

/** Sorts a row from `start` on, keeping each target once and omitting the page itself; returns where the row then ends. */
function keepOnce(targets: Int32Array, start: number, end: number, page: number): number {
  targets.subarray(start, end).sort();
  let [kept, last] = [start, -1];
  for (let k = start; k < end; k++) {
    const target = targets[k] as number;
    if (target === last || target === page) continue;
    targets[kept++] = target;
    last = target;
  }
  return kept;
}
