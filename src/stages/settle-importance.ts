import type { ImportanceCatalog, PerimeterCatalog, ResultCatalog } from '../ports/catalog.ts';
import { type ArchivedGraph, GraphGatherer } from '../science/importance/archived-graph.ts';
import { settledBook } from '../science/importance/settled-book.ts';
import { relevanceOfChance } from '../science/importance/teleport.ts';

export type GraphCatalog = Pick<ImportanceCatalog, 'linkRows' | 'readPages' | 'redirects'>;

/** Stage: the links of all archived pages, read in bulk. */
export async function archivedGraph(catalog: GraphCatalog): Promise<ArchivedGraph> {
  const gatherer = new GraphGatherer();
  for await (const { page, links } of catalog.linkRows()) gatherer.add(page, links);
  const read: number[] = [];
  for await (const pages of catalog.readPages()) for (const { page } of pages) read.push(page);
  const redirects = new Map<number, number>();
  for await (const { page, to } of catalog.redirects()) redirects.set(page, to);
  return gatherer.finish(read, redirects);
}

/** Stage: on-line importance of each page of the graph; 0 where crawls kept none. */
export async function onlineImportance(
  catalog: Pick<ImportanceCatalog, 'bookPages'>,
  { graph, placeOf }: ArchivedGraph,
): Promise<Float64Array> {
  const online = new Float64Array(graph.pages);
  for await (const { page, importance } of catalog.bookPages()) {
    const place = placeOf(page);
    if (place >= 0) online[place] = (online[place] as number) + importance;
  }
  return online;
}

/** Stage: on-line importance as endless visits would have made it, from the links alone: the last step of a rebuild. */
export async function settleImportance(
  catalog: GraphCatalog & PayingCatalog & Pick<ImportanceCatalog, 'replaceBook'>,
): Promise<void> {
  const graph = await archivedGraph(catalog);
  const { stored, parts } = settledBook(graph, await relevanceOf(graph, catalog));
  await catalog.replaceBook(stored, parts);
}

type PayingCatalog = Pick<ResultCatalog, 'crawls'> &
  Pick<PerimeterCatalog, 'perimeterUrls'> &
  Pick<ImportanceCatalog, 'pageNumbers'>;

/** URLs looked up at once. */
const AT_ONCE = 500;

/**
 * Relevance of each page of the graph, if the last crawl that kept to a perimeter pays by it; what was never judged counts in
 * full.
 */
async function relevanceOf(graph: ArchivedGraph, catalog: PayingCatalog): Promise<Float32Array | undefined> {
  const { perimeter } = (await catalog.crawls()).findLast(({ spec }) => spec.perimeter)?.spec ?? {};
  if (perimeter?.importance !== 'perimeter') return undefined;
  const relevance = new Float32Array(graph.graph.pages).fill(1);
  let some = new Map<string, number>();
  const flush = async (): Promise<void> => {
    for (const [url, number] of await catalog.pageNumbers([...some.keys()])) {
      const place = graph.placeOf(number);
      if (place >= 0) relevance[place] = relevanceOfChance(some.get(url) as number);
    }
    some = new Map();
  };
  for await (const { url, chance } of catalog.perimeterUrls({ perimeter: perimeter.name })) {
    some.set(url, chance);
    if (some.size >= AT_ONCE) await flush();
  }
  await flush();
  return relevance;
}
