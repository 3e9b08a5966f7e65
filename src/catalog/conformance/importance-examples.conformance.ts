import type { Catalog, PageImportance } from '../../ports/catalog.ts';
import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import { CashBook } from '../../science/importance/cash-book.ts';
import { all, capture, pageOf, visited, visitOf } from './examples.conformance.ts';

export const ledger: ImportanceLedger = { open: (stored) => new CashBook(stored) };
export const url = (page: number): string => `https://example.org/${page}`;

/** What was read of a page, as a crawl tells it. */
export const reading = (from: string, at: number, links: readonly string[]) =>
  visited(0, visitOf(from, { at }), { page: pageOf(from, at, { links }), captures: [capture(from, at)] });

export const importancesOf = async (
  catalog: Catalog,
  urls: readonly string[],
): Promise<Map<string, PageImportance>> =>
  new Map((await all(catalog.importances({ urls }))).map((page) => [page.url, page]));

/** Of all pages and the virtual one: 1, whatever was handed on. */
export async function cashIn(catalog: Catalog): Promise<number> {
  const { virtualCash } = await catalog.bookFigures();
  return (await all(catalog.bookPages())).reduce((sum, page) => sum + page.cash, virtualCash);
}
