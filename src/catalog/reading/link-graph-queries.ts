import type { LinkRow } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { urlsById } from './urls-by-id.ts';

/** Rows read at a time. */
const ROWS = 2_000;

export async function* linkRows(db: Connection): AsyncGenerator<LinkRow> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where('from_id', '>', last)
      .orderBy('from_id')
      .limit(ROWS)
      .execute();
    for (const { from_id, targets } of rows) yield { page: from_id, links: decodeTargets(targets) };
    if (rows.length < ROWS) return;
    last = rows.at(-1)?.from_id ?? last;
  }
}

export async function* readPages(
  db: Connection,
): AsyncGenerator<readonly { readonly page: number; readonly siteId: number }[]> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('pages')
      .select(['url_id', 'site_id'])
      .where('url_id', '>', last)
      .orderBy('url_id')
      .limit(ROWS)
      .execute();
    if (rows.length > 0) yield rows.map(({ url_id, site_id }) => ({ page: url_id, siteId: site_id ?? 0 }));
    if (rows.length < ROWS) return;
    last = rows.at(-1)?.url_id ?? last;
  }
}

export async function* redirects(
  db: Connection,
): AsyncGenerator<{ readonly page: number; readonly to: number }> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('redirects as r')
      .leftJoin('pages as p', 'p.url_id', 'r.from_id')
      .select(['r.from_id', 'r.to_id', 'r.seen_at', 'p.last_at'])
      .where('r.from_id', '>', last)
      .orderBy('r.from_id')
      .limit(ROWS)
      .execute();
    // What was read as a page since then leads nowhere.
    for (const { from_id, to_id, seen_at, last_at } of rows)
      if (last_at === null || last_at < seen_at) yield { page: from_id, to: to_id };
    if (rows.length < ROWS) return;
    last = rows.at(-1)?.from_id ?? last;
  }
}

/** Names per statement: SQLite takes 32,766 parameters. */
const NAMES = 500;

export async function pageNumbers(
  db: Connection,
  urls: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const keys = new Map(urls.map((url) => [keyOf(storable(url)), url]));
  const all = [...keys.keys()];
  const found = new Map<string, number>();
  for (let from = 0; from < all.length; from += NAMES) {
    const rows = await db
      .selectFrom('urls')
      .select(['id', 'key'])
      .where('key', 'in', all.slice(from, from + NAMES))
      .execute();
    for (const { id, key } of rows) found.set(keys.get(key) ?? '', id);
  }
  return found;
}

export const urlsOfPages = (db: Connection, pages: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  urlsById(db, pages);
