import type { PageScores } from '../../access/importance/page-scores.ts';
import type { ImportanceCatalog, WordCatalog } from '../../ports/catalog.ts';
import { amongSites } from '../../science/importance/among-sites.ts';
import type { ArchivedGraph } from '../../science/importance/archived-graph.ts';
import { infrequentWords, WebWords } from '../../science/importance/infrequent-words.ts';
import { type LinkGraph, linksOf } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import type { SitesOfPages } from '../../science/importance/site-importance.ts';
import { textWeight } from '../../science/importance/text-weight.ts';
import { archivedGraph, onlineImportance } from '../../stages/settle-importance.ts';

export type ScoreCatalog = ImportanceCatalog & WordCatalog;

/** Pages with fewer words are treated as if they had this many: one seldom word alone says little. */
export const LEAST_WORDS = 50;

/** All evidence of importance for the pages that were read. */
export async function gatherScores(catalog: ScoreCatalog): Promise<PageScores> {
  const archived = await archivedGraph(catalog);
  const siteIds = await sitesOf(catalog, archived);
  const sites = numbered(archived, siteIds);
  const online = await onlineImportance(catalog, archived);
  const links = amongSites(sites, online);
  const rank = pageRank(archived.graph);
  const read = Int32Array.from(archived.isRead.keys()).filter((place) => archived.isRead[place] === 1);
  const of = (values: Float64Array): Float64Array =>
    Float64Array.from(read, (place) => values[place] as number);
  const counts = (values: Int32Array): Int32Array => read.map((place) => values[place] as number);
  const words = await scoresOfWords(catalog, archived);
  return {
    pages: read.map((place) => archived.numbers[place] as number),
    siteIds: counts(siteIds),
    online: of(online),
    values: {
      links: of(links),
      pageRank: of(rank),
      infrequentWords: of(words.infrequentWords),
      textWeight: of(words.textWeight),
    },
    linksIn: counts(countLinks(archived.graph)),
    linkingSites: (place) => linkingSites(sites, read[place] as number),
  };
}

/** Site 0 holds all pages that nobody read. */
async function sitesOf(catalog: ScoreCatalog, archived: ArchivedGraph): Promise<Int32Array> {
  const sites = new Int32Array(archived.graph.pages);
  for await (const pages of catalog.readPages()) {
    for (const { page, siteId } of pages) {
      const place = archived.placeOf(page);
      if (place >= 0 && archived.numbers[place] === page) sites[place] = siteId;
    }
  }
  return sites;
}

function numbered({ graph }: ArchivedGraph, siteIds: Int32Array): SitesOfPages {
  const numbers = new Map<number, number>();
  const siteOf = siteIds.map((id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  });
  return { graph, siteOf, sites: numbers.size };
}

function countLinks({ pages, targets }: LinkGraph): Int32Array {
  const counts = new Int32Array(pages);
  for (const target of targets) counts[target] = (counts[target] as number) + 1;
  return counts;
}

function linkingSites({ graph, siteOf }: SitesOfPages, place: number): number {
  const sites = new Set<number>();
  for (let page = 0; page < graph.pages; page++)
    if (siteOf[page] !== siteOf[place] && linksOf(graph, page).includes(place))
      sites.add(siteOf[page] as number);
  return sites.size;
}

/** NaN where nothing was counted. Words are compared within their language: each has a web of its own. */
async function scoresOfWords(
  catalog: WordCatalog,
  { placeOf, graph }: ArchivedGraph,
): Promise<{ infrequentWords: Float64Array; textWeight: Float64Array }> {
  const webs = await websOfWords(catalog);
  const found = {
    infrequentWords: new Float64Array(graph.pages).fill(Number.NaN),
    textWeight: new Float64Array(graph.pages).fill(Number.NaN),
  };
  for await (const { page, words, language, documentBytes } of catalog.pageWords()) {
    const place = placeOf(page);
    const web = language === undefined ? undefined : webs.get(language);
    if (place < 0 || !words || !web) continue;
    found.infrequentWords[place] = infrequentWords(words, web, { leastWords: LEAST_WORDS });
    found.textWeight[place] = textWeight({ words, documentBytes });
  }
  return found;
}

/** f_web of each language. */
export async function websOfWords(catalog: WordCatalog): Promise<ReadonlyMap<string, WebWords>> {
  const webs = new Map<string, WebWords>();
  for await (const { words, language } of catalog.pageWords()) {
    if (!words || language === undefined) continue;
    const web = webs.get(language) ?? new WebWords();
    web.add(words);
    webs.set(language, web);
  }
  return webs;
}
