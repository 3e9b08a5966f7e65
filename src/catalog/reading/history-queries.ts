import type { CrawledPage, PageHistory } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';

/** Pages fetched at a time. */
const PAGE = 500;
/** Visits of a page that count: the latest. */
const VISITS = 50;

export async function* pageHistories(db: Connection, site: string): AsyncIterable<PageHistory> {
  let last = 0;
  for (;;) {
    const pages = await db
      .selectFrom('pages as p')
      .where('p.site_id', '=', ({ selectFrom }) =>
        selectFrom('sites')
          .select('id')
          .where('key', '=', keyOf(storable(site))),
      )
      .where('p.url_id', '>', last)
      .orderBy('p.url_id')
      .limit(PAGE)
      .select('p.url_id')
      .execute();
    const end = pages.at(-1);
    if (!end) return;
    const rows = await db
      .selectFrom('captures as c')
      .innerJoin('urls as u', 'u.id', 'c.url_id')
      .where(
        'c.url_id',
        'in',
        pages.map(({ url_id }) => url_id),
      )
      .where('c.type', 'in', ['response', 'revisit'])
      .where('c.status', 'in', [200, 304])
      .where('c.sha256', '<>', '')
      .orderBy('c.url_id')
      .orderBy('c.taken_at')
      .select([
        'u.url',
        'c.url_id',
        'c.taken_at',
        'c.sha256',
        'c.mime',
        'c.size',
        'c.etag',
        'c.last_modified',
      ])
      .execute();
    for (let from = 0; from < rows.length; ) {
      const start = rows[from] as (typeof rows)[number];
      let to = from;
      while (rows[to]?.url_id === start.url_id) to++;
      const newest = rows[to - 1] as (typeof rows)[number];
      yield {
        url: start.url,
        mime: newest.mime,
        size: newest.size,
        ...(newest.etag !== null && { etag: newest.etag }),
        ...(newest.last_modified !== null && { lastModified: newest.last_modified }),
        visits: rows
          .slice(Math.max(from, to - VISITS), to)
          .map(({ taken_at, sha256 }) => ({ at: taken_at, sha256 })),
      };
      from = to;
    }
    last = end.url_id;
  }
}

export async function* pagesOfLastCrawl(db: Connection, host: string): AsyncIterable<CrawledPage> {
  const hostId = await db
    .selectFrom('hosts')
    .select('id')
    .where('key', '=', keyOf(storable(host)))
    .executeTakeFirst();
  if (!hostId) return;
  const captured = ['captured', 'unchanged', 'dropped'] as const;
  const crawls = await db
    .selectFrom('crawls')
    .select('id')
    .where('state', '=', 'finished')
    .orderBy('id', 'desc')
    .execute();
  // Crawl by crawl, the newest first: a join over all would read every frontier there is.
  for (const { id } of crawls) {
    const query = db
      .selectFrom('frontier as f')
      .where('f.crawl_id', '=', id)
      .where('f.kind', '=', 'page')
      .where('f.state', 'in', captured)
      .where('f.host_id', '=', hostId.id);
    if (!(await query.select('f.id').limit(1).executeTakeFirst())) continue;
    const rows = await query
      .innerJoin('urls as u', 'u.id', 'f.url_id')
      .leftJoin('urls as v', 'v.id', 'f.via_id')
      // A redirect is no page, and leads where it led.
      .innerJoin('pages as p', 'p.url_id', 'f.url_id')
      .orderBy('f.id')
      .select(['u.url', 'f.depth', 'f.extra_hops', 'v.url as via'])
      .execute();
    for (const { url, depth, extra_hops, via } of rows)
      yield { url, depth, extraHops: extra_hops, ...(via !== null && { via }) };
    return;
  }
}
