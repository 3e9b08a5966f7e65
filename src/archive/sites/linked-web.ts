import type { PageCatalog, SiteCatalog } from '../../ports/catalog.ts';
import { linkGraph, linksOf } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import type { SitesOfPages } from '../../science/importance/site-importance.ts';

/** The archived pages and all that they link to, by number. */
export interface LinkedWeb extends SitesOfPages {
  readonly urls: readonly string[];
  /** By number of the page; they add up to 1. */
  readonly importance: Float64Array;
  /** By number of the site. */
  readonly names: readonly string[];
  /** Pages below this number are archived; the others are known by links alone. */
  readonly archived: number;
}

/**
 * Importance of pages by the links of the archive. The one place that decides how: whatever gives a value to each page of
 * the graph may stand here.
 */
const importanceOf = pageRank;

export async function readLinkedWeb(
  catalog: Pick<PageCatalog, 'pageLinks'> & Pick<SiteCatalog, 'siteBounds'>,
): Promise<LinkedWeb> {
  const { siteOf } = catalog.siteBounds();
  const ids = new Map<string, number>();
  const found: { readonly from: number; readonly links: readonly string[] }[] = [];
  for await (const { url, links } of catalog.pageLinks()) {
    found.push({ from: ids.size, links });
    ids.set(url, ids.size);
  }
  const archived = ids.size;
  const [from, to]: [number[], number[]] = [[], []];
  for (const page of found) {
    for (const link of page.links) {
      const known = ids.get(link) ?? ids.size;
      ids.set(link, known);
      from.push(page.from);
      to.push(known);
    }
  }
  const urls = [...ids.keys()];
  const numbers = new Map<string, number>();
  const sites = Int32Array.from(urls, (url) => {
    const site = siteOf(url);
    const known = numbers.get(site) ?? numbers.size;
    numbers.set(site, known);
    return known;
  });
  const graph = linkGraph(ids.size, from, to);
  const names = [...numbers.keys()];
  return {
    graph,
    siteOf: sites,
    sites: names.length,
    urls,
    importance: importanceOf(graph),
    names,
    archived,
  };
}

/** Of each site, the pages that pages of other sites link to. */
export function linkedFromOutside({ graph, siteOf, sites }: SitesOfPages): readonly ReadonlySet<number>[] {
  const linked = Array.from({ length: sites }, () => new Set<number>());
  for (let page = 0; page < graph.pages; page++)
    for (const target of linksOf(graph, page))
      if (siteOf[target] !== siteOf[page]) linked[siteOf[target] as number]?.add(target);
  return linked;
}
