import { ROUND_KEY } from '../../model/watch.ts';
import type { CrawledPage, PageHistory } from '../../ports/catalog.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { ETAG, LAST_MODIFIED, MIME, SHA256, SIZE } from './capture-facts.ts';
import { foldedCounts, foldedEntries } from './folded-entries.ts';
import { siteId } from './sighting-queries.ts';
import { withWww } from './site-rules.ts';
import { urlsById } from './urls-by-id.ts';

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
      .leftJoin('captures as o', 'o.id', 'c.original_id')
      .where(
        'c.url_id',
        'in',
        pages.map(({ url_id }) => url_id),
      )
      .where('c.type', 'in', ['response', 'revisit'])
      .where('c.status', 'in', [200, 304])
      .where(SHA256, '<>', '')
      .orderBy('c.url_id')
      .orderBy('c.taken_at')
      .select(['u.url', 'c.url_id', 'c.taken_at'])
      .select([SHA256.as('sha256'), MIME.as('mime'), SIZE.as('size'), ETAG.as('etag')])
      .select(LAST_MODIFIED.as('last_modified'))
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
  const hosts = await hostIds(db, [host]);
  for await (const entries of capturedPages(db, hosts, 'captures')) {
    if (entries.length === 0) continue;
    yield* crawledPages(db, entries);
    return;
  }
}

export async function* knownPages({ db, bounds }: Engine, site: string): AsyncIterable<CrawledPage> {
  const id = await siteId(db, site);
  if (id === undefined) return;
  const { pages } = await db
    .selectFrom('pages')
    .where('site_id', '=', id)
    .select(({ fn }) => fn.countAll<number>().as('pages'))
    .executeTakeFirstOrThrow();
  const seen = new Set<number>();
  for await (const entries of capturedPages(db, await hostIds(db, withWww(bounds.hostsOf(site))), 'all')) {
    const fresh = entries.filter(({ url_id }) => !seen.has(url_id));
    for await (const page of crawledPages(db, fresh)) if (bounds.siteOf(page.url) === site) yield page;
    for (const { url_id } of entries) seen.add(url_id);
    // Most crawls visit every page there is: the older ones need not be read. (Of a divided host other sites are seen too.)
    if (seen.size >= Number(pages) && bounds.divided.size === 0) return;
  }
}

async function hostIds(db: Connection, hosts: readonly string[]): Promise<ReadonlySet<number>> {
  const keys = hosts.map((host) => keyOf(storable(host)));
  const rows = await db.selectFrom('hosts').select('id').where('key', 'in', keys).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Pages that finished crawls captured on these hosts, crawl by crawl, the newest first: a join over all would read every frontier there is. */
async function* capturedPages(
  db: Connection,
  hosts: ReadonlySet<number>,
  of: 'all' | 'captures',
): AsyncGenerator<readonly (CrawledRow & { readonly id: number })[]> {
  if (hosts.size === 0) return;
  const captured = ['captured', 'unchanged', 'dropped'] as const;
  const crawls = await db
    .selectFrom('crawls')
    .select(['id', 'started_at'])
    .where('state', '=', 'finished')
    .$if(of === 'captures', (crawls) => crawls.where('key', 'not like', `${ROUND_KEY}%`))
    .orderBy('id', 'desc')
    .execute();
  for (const { id, started_at } of crawls) {
    const entries = await db
      .selectFrom('frontier as f')
      .where('f.crawl_id', '=', id)
      .where('f.kind', '=', 'page')
      .where('f.state', 'in', captured)
      .where('f.host_id', 'in', [...hosts])
      .select(['f.id', 'f.url_id', 'f.depth', 'f.extra_hops', 'f.via_id'])
      .execute();
    const isOf = (host: number | null): boolean => host !== null && hosts.has(host);
    const counts = await foldedCounts(db, id);
    if (counts.some(({ host_id, kind }) => isOf(host_id) && kind === 'page')) {
      for await (const entry of foldedEntries(db, id))
        if (isOf(entry.host_id) && entry.kind === 'page') entries.push(entry);
    }
    yield entries.sort((a, b) => a.id - b.id).map((entry) => ({ ...entry, started_at }));
  }
}

interface EntryRow {
  readonly url_id: number;
  readonly depth: number;
  readonly extra_hops: number;
  readonly via_id: number | null;
}

interface CrawledRow extends EntryRow {
  /** Of its crawl. */
  readonly started_at: number;
}

async function* crawledPages(db: Connection, entries: readonly CrawledRow[]): AsyncGenerator<CrawledPage> {
  for (let from = 0; from < entries.length; from += PAGE) {
    const some = entries.slice(from, from + PAGE);
    const ids = some.map(({ url_id }) => url_id);
    // A redirect is no page, and leads where it led.
    const rows = await db.selectFrom('pages').select('url_id').where('url_id', 'in', ids).execute();
    const pages = new Set(rows.map(({ url_id }) => url_id));
    const vias = some.flatMap(({ via_id }) => (via_id === null ? [] : [via_id]));
    const names = await urlsById(db, [...ids, ...vias]);
    for (const { url_id, depth, extra_hops, via_id, started_at: crawledAt } of some) {
      const url = names.get(url_id);
      const via = via_id === null ? undefined : names.get(via_id);
      if (url !== undefined && pages.has(url_id))
        yield { url, depth, extraHops: extra_hops, ...(via !== undefined && { via }), crawledAt };
    }
  }
}
