import type { ImportanceCatalog } from '../ports/catalog.ts';
import { type ArchivedGraph, GraphGatherer } from '../science/importance/archived-graph.ts';
import { settledBook } from '../science/importance/settled-book.ts';

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

/** Stage: on-line importance as visits without end would have made it, from the links alone: what a rebuild ends with. */
export async function settleImportance(
  catalog: GraphCatalog & Pick<ImportanceCatalog, 'replaceBook'>,
): Promise<void> {
  const { stored, parts } = settledBook(await archivedGraph(catalog));
  await catalog.replaceBook(stored, parts);
}
