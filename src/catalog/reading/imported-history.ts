import type { DeltaPage, SiteHistory } from '../../model/site-delta.ts';
import type { Connection } from '../engines/engine.ts';
import { unpackDocuments } from '../names/packed-documents.ts';
import { siteId } from './sighting-queries.ts';

/** Rows fetched at a time. */
const PAGES = 1_000;

export async function* importedPages(db: Connection, site: string): AsyncIterable<DeltaPage> {
  const id = await siteId(db, site);
  if (id === undefined) return;
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('imported_pages as p')
      .innerJoin('urls as u', 'u.id', 'p.url_id')
      .where('p.site_id', '=', id)
      .where('p.url_id', '>', last)
      .orderBy('p.url_id')
      .limit(PAGES)
      .select(['p.url_id', 'u.url', 'p.documents'])
      .execute();
    for (const { url, documents } of rows) yield { url, documents: unpackDocuments(documents) };
    const end = rows.at(-1);
    if (!end || rows.length < PAGES) return;
    last = end.url_id;
  }
}

export async function importedHistory(db: Connection, site: string): Promise<SiteHistory | undefined> {
  const row = await db
    .selectFrom('imported_sites')
    .where('site_id', '=', (await siteId(db, site)) ?? -1)
    .select(['crawls', 'mirrors'])
    .executeTakeFirst();
  return row && { site, ...readHistoryRow(row) };
}

export const readHistoryRow = (row: {
  readonly crawls: string;
  readonly mirrors: string;
}): Omit<SiteHistory, 'site'> => ({
  crawls: JSON.parse(row.crawls) as SiteHistory['crawls'],
  mirrors: JSON.parse(row.mirrors) as SiteHistory['mirrors'],
});
