/**
 * Importance of sites (French web 2002, § 3): a site matters by the links that other sites give it, each link weighing as
 * much as the page that holds it.
 *
 * Theorem: with pages weighted by their PageRank, the fixpoint of the links between sites is the sum of the PageRank of
 * each site's pages. With damping it holds exactly if jumps, including those of pages without links, give a site what they give
 * its pages: in proportion to their number unless a relevance says otherwise. Paying pages equally and paying sites equally are
 * incompatible: the two differ by about .09. The cheaper weights need no PageRank of
 * all pages together, and are judged by how well they rank sites as the theorem does.
 *
 * | paper | `SiteWeights` |
 * | --- | --- |
 * | Σ_{p in X} I_page(p) · L[p, q] | importance |
 * | (1 ÷ |X|) · Σ L | uniform |
 * | 1 ÷ out(X) | outdegree |
 * | importance inside each site alone | local |
 * | links between sites alone | inter-site |
 *
 * Cost: one pass over the links, then the rounds over the links between sites, which are few.
 */
import { type LinkGraph, linksOf } from './link-graph.ts';
import { DAMPING, jumpShares, pageRank } from './page-rank.ts';

export type SiteWeights = 'importance' | 'uniform' | 'outdegree' | 'local' | 'inter-site';

export interface SiteImportanceOptions {
  readonly damping?: number;
  /** PageRank, if already computed. */
  readonly importance?: ArrayLike<number>;
  /** Where jumps lead, by page; a site gets what its pages get. All pages equally unless given. */
  readonly relevance?: ArrayLike<number>;
  /** Where jumps lead, by site, whatever its pages get: the theorem then no longer holds. */
  readonly siteJumps?: Float64Array;
}

export interface SitesOfPages {
  readonly graph: LinkGraph;
  /** Per page, the number of its site. */
  readonly siteOf: Int32Array;
  readonly sites: number;
}

const TOLERANCE = 1e-12;
const MAX_ROUNDS = 500;

/** I_site(Y) = Σ of the importance of its pages: what the theorem says, without iterating. */
export function sumOfPages({ siteOf, sites }: SitesOfPages, importance: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(sites);
  siteOf.forEach((site, page) => {
    sums[site] = (sums[site] as number) + (importance[page] as number);
  });
  return sums;
}

/** The largest importance of any page of the site, as a share of the sum over all sites. */
export function largestOfPages({ siteOf, sites }: SitesOfPages, importance: ArrayLike<number>): Float64Array {
  const largest = new Float64Array(sites);
  siteOf.forEach((site, page) => {
    largest[site] = Math.max(largest[site] as number, importance[page] as number);
  });
  const sum = largest.reduce((all, one) => all + one, 0);
  return sum === 0 ? largest : largest.map((one) => one / sum);
}

/** The fixpoint of the links between sites; values sum to 1. */
export function siteImportance(
  pages: SitesOfPages,
  weights: SiteWeights,
  options: SiteImportanceOptions = {},
): Float64Array {
  const { damping = DAMPING } = options;
  const { sites, siteOf } = pages;
  const links = siteLinks(pages, weights, options);
  const jump = options.siteJumps ?? sumOfPages(pages, jumpShares(siteOf.length, options.relevance));
  let now = jump.slice();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = new Float64Array(sites);
    let followed = 0;
    links.forEach((row, site) => {
      for (const [target, share] of row) {
        const passedOn = damping * (now[site] as number) * share;
        next[target] = (next[target] as number) + passedOn;
        followed += passedOn;
      }
    });
    let moved = 0;
    for (let site = 0; site < sites; site++) {
      next[site] = (next[site] as number) + (1 - followed) * (jump[site] as number);
      moved += Math.abs((next[site] as number) - (now[site] as number));
    }
    now = next;
    if (moved < TOLERANCE) break;
  }
  return now;
}

type SiteLinks = readonly ReadonlyMap<number, number>[];

/** Rows of the site matrix: what share of a site's importance goes to each site. The rest of a row jumps. */
function siteLinks(pages: SitesOfPages, weights: SiteWeights, options: SiteImportanceOptions): SiteLinks {
  const { graph, siteOf, sites } = pages;
  const rows = Array.from({ length: sites }, () => new Map<number, number>());
  const weightOf = pageWeights(pages, weights, options);
  const interSite = weights === 'inter-site' || weights === 'outdegree';
  for (let page = 0; page < graph.pages; page++) {
    const site = siteOf[page] as number;
    const row = rows[site] as Map<number, number>;
    const links = linksOf(graph, page);
    const share = (weightOf[page] as number) / links.length;
    for (const target of links) {
      const other = siteOf[target] as number;
      if (interSite && other === site) continue;
      row.set(other, (row.get(other) ?? 0) + share);
    }
  }
  if (interSite) for (const row of rows) normalise(row, weights === 'outdegree');
  return rows;
}

/** Scales the row to sum to 1; with `outdegree`, each linked site gets the same share. */
function normalise(row: Map<number, number>, alike: boolean): void {
  let sum = 0;
  for (const share of row.values()) sum += share;
  for (const [site, share] of row) row.set(site, alike ? 1 / row.size : sum === 0 ? 0 : share / sum);
}

/** Each page's part of its site's importance; the parts of a site sum to 1. */
function pageWeights(
  { graph, siteOf, sites }: SitesOfPages,
  weights: SiteWeights,
  options: SiteImportanceOptions,
): Float64Array {
  const raw =
    weights === 'importance' || weights === 'inter-site'
      ? (options.importance ?? pageRank(graph, options))
      : weights === 'local'
        ? pageRank(insideSites(graph, siteOf), options)
        : new Float64Array(graph.pages).fill(1);
  const sums = sumOfPages({ graph, siteOf, sites }, raw);
  return Float64Array.from(siteOf, (site, page) => {
    const sum = sums[site] as number;
    return sum === 0 ? 0 : (raw[page] as number) / sum;
  });
}

/** The links of each page that stay on its site; rows stay sorted. */
function insideSites({ pages, offsets, targets }: LinkGraph, siteOf: Int32Array): LinkGraph {
  const inside = new Int32Array(targets.length);
  const starts = new Int32Array(pages + 1);
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    for (let k = offsets[page] as number; k < (offsets[page + 1] as number); k++) {
      const target = targets[k] as number;
      if (siteOf[target] === siteOf[page]) inside[kept++] = target;
    }
    starts[page + 1] = kept;
  }
  return { pages, offsets: starts, targets: inside.subarray(0, kept) };
}
