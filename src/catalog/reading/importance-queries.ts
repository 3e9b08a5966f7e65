import type { BookFigures, BookPage } from '../../model/importance.ts';
import type { PageImportance } from '../../ports/catalog.ts';
import type { ImportanceBook } from '../../ports/importance-ledger.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { type BookKeeping, fetchParts, openBook, storedParts } from '../writing/importance-book.ts';
import { pageNumbers } from './link-graph-queries.ts';
import { urlsById } from './urls-by-id.ts';

function open({ engine, ledger }: BookKeeping): Promise<ImportanceBook> {
  if (!ledger) throw new Error('this catalog was opened without a ledger of importance');
  return openBook(engine.db, ledger);
}

export async function bookFigures(keeping: BookKeeping): Promise<BookFigures> {
  return (await open(keeping)).figures;
}

export async function* bookPages(keeping: BookKeeping): AsyncGenerator<BookPage> {
  const book = await open(keeping);
  for await (const rows of storedParts(keeping.engine.db)) {
    for (const { part, pages } of rows) {
      book.put(part, pages);
      yield* book.pages(part);
    }
    book.drop();
  }
}

/** Pages looked up at a time. */
const SOME = 500;

export async function* importances(
  keeping: BookKeeping,
  { site, urls }: { readonly site?: string; readonly urls?: readonly string[] },
): AsyncGenerator<PageImportance> {
  const { db } = keeping.engine;
  const book = await open(keeping);
  const groups = site === undefined ? ofUrls(db, urls ?? []) : ofSite(db, site);
  for await (const pages of groups) {
    await fetchParts(keeping.engine, db, book, pages);
    const found = pages.map((page) => book.page(page)).filter((page) => page !== undefined);
    const names = await urlsById(
      db,
      found.map(({ page }) => page),
    );
    for (const page of found) yield { ...page, url: names.get(page.page) ?? '' };
    book.drop();
  }
}

async function* ofUrls(db: Connection, urls: readonly string[]): AsyncGenerator<readonly number[]> {
  for (let from = 0; from < urls.length; from += SOME)
    yield [...new Set((await pageNumbers(db, urls.slice(from, from + SOME))).values())];
}

async function* ofSite(db: Connection, site: string): AsyncGenerator<readonly number[]> {
  const key = keyOf(storable(site));
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('pages')
      .select('url_id')
      .where('site_id', '=', ({ selectFrom }) => selectFrom('sites').select('id').where('key', '=', key))
      .where('url_id', '>', last)
      .orderBy('url_id')
      .limit(SOME)
      .execute();
    if (rows.length > 0) yield rows.map(({ url_id }) => url_id);
    if (rows.length < SOME) return;
    last = rows.at(-1)?.url_id ?? last;
  }
}
