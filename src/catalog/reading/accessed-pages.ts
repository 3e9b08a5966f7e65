import { sql } from 'kysely';
import type { DeltaDocument, PageAccess } from '../../model/site-delta.ts';
import { surt } from '../../model/surt.ts';
import type { AccessedPage } from '../../ports/catalog.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { unpackDocuments } from '../names/packed-documents.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { headOf, hostKey, surtHead } from './capture-list.ts';
import { pageAccesses } from './page-accesses.ts';
import { siteId } from './sighting-queries.ts';
import { type Unvisited, unvisitedPages } from './unvisited-pages.ts';

/** Pages that are read together: what an export of any length holds in memory. */
const PAGES = 500;

/** By name; in byte order, as both databases have it. */
export async function historySites(db: Connection): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sites as s')
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('pages as p').select('p.url_id').whereRef('p.site_id', '=', 's.id')),
        exists(selectFrom('imported_sites as i').select('i.site_id').whereRef('i.site_id', '=', 's.id')),
      ]),
    )
    .orderBy('s.site')
    .select('s.site')
    .execute();
  return rows.map(({ site }) => site);
}

interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly surt: string;
}

export async function* accessedPages(engine: Engine, site: string): AsyncIterable<AccessedPage> {
  const { db, bounds } = engine;
  const id = (await siteId(db, site)) ?? -1;
  const unvisited = await unvisitedPages(db, id);
  // All pages of a host lie together in the order of SURT keys.
  const hosts = bounds
    .hostsOf(site)
    .toSorted((a, b) => compareBytes(surt(`http://${a}/`), surt(`http://${b}/`)));
  for (const host of hosts) yield* pagesOnHost(engine, { host, site, id }, unvisited);
}

/** A host, and the site whose pages on it are meant. */
interface SiteHost {
  readonly host: string;
  readonly site: string;
  readonly id: number;
}

async function* pagesOnHost(
  { db, bounds }: Engine,
  { host, site, id }: SiteHost,
  unvisited: Unvisited,
): AsyncIterable<AccessedPage> {
  const silent = await unansweredPages(db, host);
  let unanswered = silent.filter(({ url }) => bounds.siteOf(url) === site);
  for (let last: PageRow | undefined; ; ) {
    const rows = await pageRows(db, host, id, last);
    const isEnd = rows.length < PAGES;
    last = rows.at(-1);
    const here = unanswered.filter((page) => isEnd || (last && order(page, last) < 0));
    unanswered = unanswered.slice(here.length);
    const pages = here.length === 0 ? rows : [...rows, ...here].sort(order);
    const ids = pages.map((page) => page.id);
    const accesses = await pageAccesses(db, ids);
    const documents = await documentsOf(db, ids);
    for (const page of pages) {
      const told = documents.get(page.id) ?? [];
      const own = [...(accesses.get(page.id) ?? []), ...unvisited(page, told)];
      yield { url: page.url, accesses: inTime(own), documents: told };
    }
    if (isEnd) return;
  }
}

/** Each moment once: what was asked for comes first in `accesses`. */
function inTime(accesses: readonly PageAccess[]): readonly PageAccess[] {
  const sorted = accesses.toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ at }, i) => sorted[i - 1]?.at !== at);
}

/** As the databases order text: by its bytes. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const order = (a: PageRow, b: PageRow): number => compareBytes(a.surt, b.surt) || compareBytes(a.url, b.url);

/** The next pages of a site that are archived, or that histories of other archives tell of. */
async function pageRows(
  db: Connection,
  name: string,
  id: number,
  last: PageRow | undefined,
): Promise<readonly PageRow[]> {
  let query = db
    .selectFrom('urls as u')
    .where('u.surt', 'is not', null)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('pages as p')
            .select('p.url_id')
            .whereRef('p.url_id', '=', 'u.id')
            .where('p.site_id', '=', id),
        ),
        exists(
          selectFrom('imported_pages as i')
            .select('i.url_id')
            .whereRef('i.url_id', '=', 'u.id')
            .where('i.site_id', '=', id),
        ),
      ]),
    )
    .orderBy(surtHead)
    .orderBy('u.surt')
    .orderBy('u.url')
    .limit(PAGES)
    .select(['u.id', 'u.url', 'u.surt']);
  const host = hostKey(`http://${name}/`);
  // ')' ends the host in a SURT key, and '*' follows ')'.
  if (host !== undefined) query = query.where(surtHead, '<', headOf(`${host.slice(0, -1)}*`));
  if (last)
    query = query
      .where(surtHead, '>=', headOf(last.surt))
      .where(sql<boolean>`(u.surt, u.url) > (${last.surt}, ${last.url})`);
  else if (host !== undefined) query = query.where(surtHead, '>=', headOf(host));
  return (await query.execute()).map((row) => ({ ...row, surt: row.surt ?? '' }));
}

/** Pages that no server ever answered for: few, and in no order of the catalog. */
async function unansweredPages(db: Connection, host: string): Promise<readonly PageRow[]> {
  const hosts = [host, `www.${host}`].map((name) => keyOf(storable(name)));
  const rows = await db
    .selectFrom('crawls as k')
    .innerJoin('frontier as f', 'f.crawl_id', 'k.id')
    .innerJoin('hosts as h', 'h.id', 'f.host_id')
    .innerJoin('urls as u', 'u.id', 'f.url_id')
    .where('f.kind', '=', 'page')
    .where('f.state', 'in', ['failed', 'pending', 'skipped'])
    .where('h.key', 'in', hosts)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('visits as x')
          .select('x.id')
          .whereRef('x.url_id', '=', 'u.id')
          .where('x.fault_kind', 'is not', null),
      ),
    )
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(selectFrom('pages as p').select('p.url_id').whereRef('p.url_id', '=', 'u.id')),
          exists(selectFrom('imported_pages as i').select('i.url_id').whereRef('i.url_id', '=', 'u.id')),
        ]),
      ),
    )
    .groupBy(['u.id', 'u.url'])
    .select(['u.id', 'u.url'])
    .execute();
  return rows.map((row) => ({ ...row, surt: storable(surt(row.url)) })).sort(order);
}

async function documentsOf(
  db: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly DeltaDocument[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('imported_pages')
    .where('url_id', 'in', ids)
    .select(['url_id', 'documents'])
    .execute();
  return new Map(rows.map(({ url_id, documents }) => [url_id, unpackDocuments(documents)]));
}
