import { sql } from 'kysely';
import { surt } from '../../model/surt.ts';
import type { PageSummary, SiteSummary } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { foldForSearch } from '../writing/commit-pages.ts';
import { headOf, surtHead } from './capture-list.ts';
import { urlsById } from './urls-by-id.ts';

/** By name. Records that belong to no site (`urn:view:…`) are not counted. */
export async function sites(db: Connection): Promise<readonly SiteSummary[]> {
  // Counted before they are named: site and time stand in an index, and no row of a capture is read.
  const rows = await db
    .with('held', (held) =>
      held
        .selectFrom('captures')
        .where('site_id', 'is not', null)
        .groupBy('site_id')
        .select(({ fn }) => [
          'site_id',
          fn.countAll<number>().as('captures'),
          fn.min<number>('taken_at').as('firstAt'),
          fn.max<number>('taken_at').as('lastAt'),
        ]),
    )
    .selectFrom('held as h')
    .innerJoin('sites as s', 's.id', 'h.site_id')
    .orderBy('s.site')
    .select(({ selectFrom }) => [
      's.site',
      selectFrom('pages as p')
        .whereRef('p.site_id', '=', 's.id')
        .select((page) => page.fn.countAll<number>().as('n'))
        .as('pages'),
      selectFrom('pages as p')
        .innerJoin('captures as c', 'c.url_id', 'p.url_id')
        .whereRef('p.site_id', '=', 's.id')
        .select((page) => page.fn.countAll<number>().as('n'))
        .as('pageCaptures'),
      'h.captures',
      'h.firstAt',
      'h.lastAt',
    ])
    .execute();
  return rows.map((row) => ({ ...row, pages: row.pages ?? 0, pageCaptures: row.pageCaptures ?? 0 }));
}

/** In order of SURT key. `text` is looked for in title and URL, without regard to case. */
export async function pages(
  db: Connection,
  query: { url?: string; site?: string; text?: string; limit?: number; offset?: number; after?: string },
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
  if (query.url !== undefined) page = page.where('u.key', '=', keyOf(storable(query.url)));
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
  if (query.after !== undefined) {
    const url = storable(query.after);
    const key = storable(surt(url));
    page = page
      .where(surtHead, '>=', headOf(key))
      .where(
        sql<boolean>`(u.surt, u.id) > (${key}, coalesce((select id from urls where key = ${keyOf(url)}), 0))`,
      );
  }
  const rows = await db
    .with('page', () => page)
    .selectFrom('page')
    .select(['page.url', 'page.title'])
    // 304 says "as before": what was there before is what a reader would have seen.
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .case()
            .when('page.status', '=', 304)
            .then(
              eb
                .selectFrom('captures as v')
                .whereRef('v.url_id', '=', 'page.id')
                .where('v.status', '<>', 304)
                .orderBy('v.taken_at', 'desc')
                .limit(1)
                .select('v.status'),
            )
            .end(),
          'page.status',
        )
        .as('status'),
    )
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
