import { sql } from 'kysely';
import type { PageSummary, SiteSummary } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { foldForSearch } from '../writing/commit-pages.ts';
import { surtHead } from './capture-list.ts';
import { urlsById } from './urls-by-id.ts';

/** By name. Records that belong to no site (`urn:view:…`) are not counted. */
export async function sites(db: Connection): Promise<readonly SiteSummary[]> {
  const rows = await db
    .selectFrom('captures as c')
    .innerJoin('sites as s', 's.id', 'c.site_id')
    .groupBy(['s.id', 's.site'])
    .orderBy('s.site')
    .select(({ fn, selectFrom }) => [
      's.site',
      selectFrom('pages as p')
        .whereRef('p.site_id', '=', 's.id')
        .select((page) => page.fn.countAll<number>().as('n'))
        .as('pages'),
      fn.countAll<number>().as('captures'),
      fn.min<number>('c.taken_at').as('firstAt'),
      fn.max<number>('c.taken_at').as('lastAt'),
    ])
    .execute();
  return rows.map((row) => ({ ...row, pages: row.pages ?? 0 }));
}

/** In order of SURT key. `text` is looked for in title and URL, without regard to case. */
export async function pages(
  db: Connection,
  query: { site?: string; text?: string; limit?: number; offset?: number },
): Promise<readonly PageSummary[]> {
  let page = db
    .selectFrom('pages as p')
    .innerJoin('urls as u', 'u.id', 'p.url_id')
    .where('u.surt', 'is not', null)
    .orderBy(surtHead)
    .orderBy('u.surt')
    .orderBy('u.id')
    .select(['u.id', 'u.url', 'p.title', 'p.status', 'p.first_at', 'p.last_at'])
    // PostgreSQL takes an OFFSET without LIMIT, SQLite does not.
    .limit(query.limit ?? Number.MAX_SAFE_INTEGER);
  if (query.site !== undefined) {
    const key = keyOf(storable(query.site));
    page = page.where('p.site_id', '=', ({ selectFrom }) =>
      selectFrom('sites').select('id').where('key', '=', key),
    );
  }
  if (query.text !== undefined && query.text !== '') {
    const text = foldForSearch(query.text);
    page = page.where(sql<boolean>`replace(p.search, ${text}, '') <> p.search`);
  }
  if (query.offset) page = page.offset(query.offset);
  const rows = await db
    .with('page', () => page)
    .selectFrom('page')
    .select(['page.url', 'page.title', 'page.status'])
    .select(({ fn, selectFrom }) => {
      const captures = selectFrom('captures as c').whereRef('c.url_id', '=', 'page.id');
      return [
        captures.select((c) => c.fn.countAll<number>().as('n')).as('captures'),
        fn
          .coalesce(
            captures.select((c) => c.fn.min<number>('c.taken_at').as('n')),
            'page.first_at',
          )
          .as('firstAt'),
        fn
          .coalesce(
            captures.select((c) => c.fn.max<number>('c.taken_at').as('n')),
            'page.last_at',
          )
          .as('lastAt'),
      ];
    })
    .execute();
  return rows.map(({ status, captures, ...row }) => ({
    ...row,
    captures: captures ?? 0,
    lastStatus: status,
  }));
}

/** Rows of links read at a time. */
const LINK_ROWS = 500;

/** In the order they were found. */
export async function* pageLinks(
  db: Connection,
): AsyncIterable<{ readonly url: string; readonly links: readonly string[] }> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('pages as p')
      .leftJoin('links as l', 'l.from_id', 'p.url_id')
      .select(['p.url_id', 'l.targets'])
      .where('p.url_id', '>', last)
      .orderBy('p.url_id')
      .limit(LINK_ROWS)
      .execute();
    const targets = rows.map((row) => decodeTargets(row.targets ?? ''));
    const names = await urlsById(db, [...rows.map(({ url_id }) => url_id), ...targets.flat()]);
    for (const [index, { url_id }] of rows.entries()) {
      const links = (targets[index] ?? []).flatMap((id) => names.get(id) ?? []);
      yield { url: names.get(url_id) ?? '', links };
    }
    const end = rows.at(-1);
    if (!end || rows.length < LINK_ROWS) return;
    last = end.url_id;
  }
}

/** Those of one page stand together; there is no other order. */
export async function links(
  db: Connection,
  query: { from?: string; to?: string; limit?: number },
): Promise<readonly { from: string; to: string }[]> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const only = { from: await idOf(db, query.from), to: await idOf(db, query.to) };
  if (only.from === 0 || only.to === 0) return [];
  const found: [from: number, to: number][] = [];
  for (let last = 0; found.length < limit; ) {
    let rows = db
      .selectFrom('links')
      .selectAll()
      .where('from_id', '>', last)
      .orderBy('from_id')
      .limit(LINK_ROWS);
    if (only.from !== undefined) rows = rows.where('from_id', '=', only.from);
    const page = await rows.execute();
    for (const { from_id, targets } of page)
      for (const to of decodeTargets(targets))
        if (only.to === undefined || to === only.to) found.push([from_id, to]);
    last = page.at(-1)?.from_id ?? 0;
    if (page.length < LINK_ROWS) break;
  }
  found.length = Math.min(found.length, limit);
  const names = await urlsById(db, found.flat());
  return found.map(([from, to]) => ({ from: names.get(from) ?? '', to: names.get(to) ?? '' }));
}

/** 0 for a URL that the catalog does not know, undefined when none is asked for. */
async function idOf(db: Connection, url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined;
  const row = await db
    .selectFrom('urls')
    .select('id')
    .where('key', '=', keyOf(storable(url)))
    .executeTakeFirst();
  return row?.id ?? 0;
}
