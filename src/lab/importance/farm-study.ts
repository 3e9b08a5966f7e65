/**
 * A site that makes up pages to lift one of its own: how high it gets, depending on where jumps lead.
 *
 * The farm: a number of new pages, each linking to the target a thousand times and to itself, and the target linking to them alone:
 * the best a site can do with links of its own (Gyöngyi and Garcia-Molina, *Link spam alliances*, 2005).
 */
import { type LinkGraph, linkGraph, linksOf } from '../../science/importance/link-graph.ts';
import { Opic } from '../../science/importance/opic.ts';
import { DAMPING, jumpShares, pageRank } from '../../science/importance/page-rank.ts';
import { type SitesOfPages, sumOfPages } from '../../science/importance/site-importance.ts';
import { mostImportance, relevanceBySite } from '../../science/importance/teleport.ts';
import { reader } from './visit-orders.ts';

export const JUMPS = ['by page', 'by site', 'by relevance'] as const;
export type Jumps = (typeof JUMPS)[number];

export interface FarmReading {
  readonly jumps: Jumps;
  readonly farm: number;
  /** Share of all importance: the target's, its whole site's, and the most that the site could have. */
  readonly target: number;
  readonly site: number;
  readonly bound: number;
  /** Rank among the pages that were there before; 1 is the most important. */
  readonly place: number;
  /** The target's on-line importance, pages being read in turn. */
  readonly online: number;
}

/** How often each page of the farm links to the target, and to itself. */
const REPEATED = 1000;
const VISITS = 40;

export function plantFarm(
  { graph, siteOf, sites }: SitesOfPages,
  target: number,
  farm: number,
): SitesOfPages {
  const [from, to]: [number[], number[]] = [[], []];
  const link = (page: number, other: number): void => {
    from.push(page);
    to.push(other);
  };
  for (let page = 0; page < graph.pages; page++) {
    if (page === target && farm > 0) continue;
    for (const other of linksOf(graph, page)) link(page, other);
  }
  for (let page = graph.pages; page < graph.pages + farm; page++) {
    link(target, page);
    // Only once per farm: what matters is that repetition counts for nothing.
    const times = page === graph.pages ? REPEATED : 1;
    for (let k = 0; k < times; k++) {
      link(page, target);
      link(page, page);
    }
  }
  const owner = siteOf[target] as number;
  const pages = graph.pages + farm;
  return {
    graph: linkGraph(pages, from, to),
    siteOf: Int32Array.from({ length: pages }, (_, page) => siteOf[page] ?? owner),
    sites,
  };
}

export function studyFarm(web: SitesOfPages, target: number, farm: number): FarmReading[] {
  const farmed = plantFarm(web, target, farm);
  return JUMPS.map((jumps) => {
    const relevance = relevanceOf(jumps, farmed, web.graph.pages);
    const rank = pageRank(farmed.graph, relevance && { relevance });
    const site = farmed.siteOf[target] as number;
    return {
      jumps,
      farm,
      target: rank[target] as number,
      site: sumOfPages(farmed, rank)[site] as number,
      bound: boundOf(farmed, site, rank, relevance),
      place: rank.slice(0, web.graph.pages).filter((value) => value > (rank[target] as number)).length + 1,
      online: onlineImportance(farmed, target, jumps, relevance),
    };
  });
}

/** By relevance: as in a perimeter that knows the earlier pages, and has no evidence for those of the farm. */
function relevanceOf(jumps: Jumps, web: SitesOfPages, known: number): Float64Array | undefined {
  if (jumps === 'by page') return undefined;
  if (jumps === 'by site') return relevanceBySite(web);
  return Float64Array.from(web.siteOf, (_, page) => (page < known ? 1 : 0));
}

/** The share that jumps and links from other sites bring to a site, and the most that it can make of it. */
function boundOf(web: SitesOfPages, site: number, rank: Float64Array, relevance?: Float64Array): number {
  const { graph, siteOf } = web;
  const shares = sumOfPages(web, jumpShares(graph.pages, relevance));
  let [jumping, links] = [0, 0];
  for (let page = 0; page < graph.pages; page++) {
    const [value, targets] = [rank[page] as number, linksOf(graph, page)];
    jumping += targets.length === 0 ? value : (1 - DAMPING) * value;
    if (siteOf[page] === site) continue;
    for (const other of targets) if (siteOf[other] === site) links += value / targets.length;
  }
  return mostImportance({ jumps: jumping * (shares[site] as number), links }, DAMPING);
}

function onlineImportance(web: SitesOfPages, target: number, jumps: Jumps, relevance?: Float64Array): number {
  const { graph, siteOf } = web;
  const opic = new Opic({ window: Number.POSITIVE_INFINITY });
  for (let page = 0; page < graph.pages; page++) {
    if (jumps === 'by site') opic.add(1, siteOf[page]);
    else opic.add(relevance?.[page] ?? 1);
  }
  readInTurns(opic, graph);
  return opic.importance(target);
}

function readInTurns(opic: Opic, graph: LinkGraph): void {
  reader(opic, graph, 'cyclic', () => 0)(VISITS * graph.pages);
}
