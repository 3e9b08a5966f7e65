import type { ImportanceCatalog, SiteCatalog } from '../../ports/catalog.ts';
import { linksOf } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import type { SitesOfPages } from '../../science/importance/site-importance.ts';
import { archivedGraph, type GraphCatalog } from '../../stages/settle-importance.ts';

export type LinkCatalog = GraphCatalog &
  Pick<ImportanceCatalog, 'urlsOfPages'> &
  Pick<SiteCatalog, 'siteBounds'>;

/**
 * The archived pages and everything they link to, by number. URLs stay in the catalog: only the name of each one's site
 * is kept here, once. A URL that redirects is merged with its target, and is not a page of its own site.
 */
export interface LinkedWeb extends SitesOfPages {
  /** By page number; sums to 1. */
  readonly importance: Float64Array;
  /** By site number. */
  readonly names: readonly string[];
  /** 1 for archived pages; the others are known by links alone. */
  readonly isRead: Uint8Array;
  /** In the order requested. */
  urlsOf(pages: readonly number[]): Promise<readonly string[]>;
}

/** URLs read at a time. */
const URLS = 2_000;

/** `onRead` is called with the URL of each archived page. */
export async function readLinkedWeb(
  catalog: LinkCatalog,
  onRead: (page: number, url: string) => void = () => {},
): Promise<LinkedWeb> {
  const { siteOf } = catalog.siteBounds();
  const { graph, numbers: ids, isRead } = await archivedGraph(catalog);
  const urlsOf = async (pages: readonly number[]): Promise<readonly string[]> => {
    const urls: string[] = [];
    for (let from = 0; from < pages.length; from += URLS) {
      const some = pages.slice(from, from + URLS).map((page) => ids[page] as number);
      const found = await catalog.urlsOfPages(some);
      for (const id of some) urls.push(found.get(id) ?? '');
    }
    return urls;
  };
  const numbers = new Map<string, number>();
  const sites = new Int32Array(graph.pages);
  for (let from = 0; from < graph.pages; from += URLS) {
    const pages = Array.from({ length: Math.min(URLS, graph.pages - from) }, (_, i) => from + i);
    for (const [i, url] of (await urlsOf(pages)).entries()) {
      const site = siteOf(url);
      const known = numbers.get(site) ?? numbers.size;
      numbers.set(site, known);
      sites[from + i] = known;
      if (isRead[from + i] === 1) onRead(from + i, url);
    }
  }
  const names = [...numbers.keys()];
  return {
    graph,
    siteOf: sites,
    sites: names.length,
    // Not the importance that crawls kept: sites are read one by one, and the first would have nearly all of it
    // (decisions/0030).
    importance: pageRank(graph),
    names,
    isRead,
    urlsOf,
  };
}

/** For each site, how many of its pages are linked from other sites. */
export function linkedFromOutside({ graph, siteOf, sites }: SitesOfPages): Int32Array {
  const isLinked = new Uint8Array(graph.pages);
  const linked = new Int32Array(sites);
  for (let page = 0; page < graph.pages; page++)
    for (const target of linksOf(graph, page)) {
      const site = siteOf[target] as number;
      if (site === siteOf[page] || isLinked[target] === 1) continue;
      isLinked[target] = 1;
      linked[site] = (linked[site] as number) + 1;
    }
  return linked;
}

/** Pages by site, in ascending order of number within a site. */
export function pagesOfSites({ siteOf, sites }: SitesOfPages): (site: number) => Int32Array {
  const starts = new Int32Array(sites + 1);
  for (const site of siteOf) starts[site + 1] = (starts[site + 1] as number) + 1;
  for (let site = 0; site < sites; site++)
    starts[site + 1] = (starts[site + 1] as number) + (starts[site] as number);
  const next = starts.slice();
  const pages = new Int32Array(siteOf.length);
  siteOf.forEach((site, page) => {
    const at = next[site] as number;
    pages[at] = page;
    next[site] = at + 1;
  });
  return (site) => pages.subarray(starts[site], starts[site + 1]);
}
