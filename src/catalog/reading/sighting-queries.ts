import { sql } from 'kysely';
import { GONE_STATUSES } from '../../model/exchange.ts';
import type { PageSighting, SeenPage } from '../../model/pattern.ts';
import type { VersionFact, Weighing } from '../../model/version.ts';
import type { PageStanding } from '../../ports/catalog.ts';
import { bulkQuery } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { type SteadyPage, steadyPages } from './steady-pages.ts';

/** Pages that are read together. */
const PAGES = 200;

/** Answers that show a page, and those that say it is there no more. Others say nothing. */
const THERE_TEXT = '(c.status between 200 and 299 or c.status = 304)';
const GONE_TEXT = `c.status in (${GONE_STATUSES.join(', ')})`;
const ANSWER_TEXT = `c.type in ('response', 'revisit') and c.method = 'GET' and (c.sha256 <> '' or c.original_id is not null)`;
export const THERE = sql.raw<boolean>(THERE_TEXT);
const GONE = sql.raw<boolean>(GONE_TEXT);
export const ANSWERS = sql.raw<boolean>(ANSWER_TEXT);

export async function captureMark(db: Connection): Promise<number> {
  const row = await db
    .selectFrom('captures')
    .select(({ fn }) => fn.max<number | null>('id').as('mark'))
    .executeTakeFirst();
  return row?.mark ?? 0;
}

export async function siteId(db: Connection, site: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('key', '=', keyOf(storable(site)))
    .executeTakeFirst();
  return row?.id;
}

export async function urlId(db: Connection, url: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('urls')
    .select('id')
    .where('key', '=', keyOf(storable(url)))
    .executeTakeFirst();
  return row?.id;
}

export async function urlIds(db: Connection, urls: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map(urls.map((url) => [keyOf(storable(url)), url]));
  const keys = [...byKey.keys()];
  const ids = new Map<string, number>();
  for (let from = 0; from < keys.length; from += PAGES) {
    const some = keys.slice(from, from + PAGES);
    const rows = await db.selectFrom('urls').select(['id', 'key']).where('key', 'in', some).execute();
    for (const { id, key } of rows) ids.set(byKey.get(key) ?? '', id);
  }
  return ids;
}

export async function* seenPages(
  db: Connection,
  site: string,
  after: number,
): AsyncIterable<readonly SeenPage[]> {
  const id = await siteId(db, site);
  if (id === undefined) return;
  // CROSS JOIN keeps SQLite to this order: new captures are few, those of a site are many.
  const { rows } = await sql<{ url_id: number }>`
    select p.url_id as url_id from captures c cross join pages p
      where c.id > ${after} and p.url_id = c.url_id and p.site_id = ${id}
    union select v.url_id as url_id from captures c cross join versions v
      where c.id > ${after} and v.info_id = c.url_id and v.seen_at = c.taken_at and v.site_id + 0 = ${id}
    order by url_id`.execute(db);
  const again = await analysedSince(db, id, after);
  const seen = rows.map(({ url_id }) => url_id).filter((page) => !again.has(page));
  // What was known of the past of the others is not so any more: they are learnt from all of it.
  for (const [pages, since] of [[seen, after] as const, [[...again], 0] as const])
    for (let from = 0; from < pages.length; from += PAGES)
      yield await sightingsOf(db, pages.slice(from, from + PAGES), since);
}

/** Pages of a site whose captures were analysed, later than they were made, since a mark. */
async function analysedSince(db: Connection, site: number, after: number): Promise<ReadonlySet<number>> {
  if (after === 0) return new Set();
  const { rows } = await sql<{ url_id: number }>`select distinct a.url_id as url_id
    from captures c cross join analyses a cross join pages p where c.id > ${after} and a.info_id = c.url_id
      and a.seen_at = c.taken_at and p.url_id = a.url_id and p.site_id + 0 = ${site}`.execute(db);
  return new Set(rows.map(({ url_id }) => url_id));
}

/** What a later analysis says of a look counts before what the visit found. */
const LOOK_TEXT = 'coalesce(cast(a.layout_at as text), v.look)';
const LOOK = sql.raw<string | null>(LOOK_TEXT);

export async function sightings(db: Connection, urls: readonly string[]): Promise<readonly SeenPage[]> {
  const found: SeenPage[] = [];
  for (let from = 0; from < urls.length; from += PAGES) {
    const keys = urls.slice(from, from + PAGES).map((url) => keyOf(storable(url)));
    const pages = await db.selectFrom('urls').select('id').where('key', 'in', keys).execute();
    found.push(
      ...(await sightingsOf(
        db,
        pages.map(({ id }) => id),
        0,
      )),
    );
  }
  return found;
}

interface SightingRow {
  readonly url: string;
  readonly at: number;
  readonly there: number;
  readonly sha256: string;
  readonly look: string | null;
  readonly importance: number | null;
  readonly salience: number | null;
}

/** What is stored, and what was left out and stays as a fact: its page info is the capture then. */
async function sightingsOf(
  db: Connection,
  pages: readonly number[],
  after: number,
): Promise<readonly SeenPage[]> {
  if (pages.length === 0) return [];
  const ids = sql.join(pages.map((page) => sql`${page}`));
  const { rows } = await sql<SightingRow>`
    select u.url, s.at, s.there, s.sha256, s.look, s.importance, s.salience from (
      select c.url_id, c.taken_at as at, c.id, case when ${THERE} then 1 else 0 end as there,
        coalesce(v.sha256, c.sha256, o.sha256) as sha256, ${LOOK} as look,
        case when a.layout_at <> c.taken_at then 0 when a.layout_at is not null then ch.importance
          when c.version_at is null then coalesce(v.importance, ch.importance) else 0 end as importance, sa.salience
      from captures c left join captures o on o.id = c.original_id
        left join versions v on v.url_id = c.url_id and v.seen_at = coalesce(c.version_at, c.taken_at)
        left join changes ch on ch.url_id = c.url_id and ch.to_at = c.taken_at
        left join saliences sa on sa.change_id = ch.id
        left join analyses a on a.url_id = c.url_id and a.seen_at = c.taken_at
      where c.url_id in (${ids}) and c.id > ${after} and ${ANSWERS} and (${THERE} or ${GONE})
      union all
      select v.url_id, v.seen_at, c.id, 1, v.sha256, v.look, v.importance, sa.salience
      from versions v join captures c on c.url_id = v.info_id and c.taken_at = v.seen_at
        left join changes ch on ch.url_id = v.url_id and ch.to_at = v.seen_at
        left join saliences sa on sa.change_id = ch.id
      where v.url_id in (${ids}) and v.kept = 0 and c.id > ${after} and not exists (select 1 from captures c
        where c.url_id = v.url_id and c.taken_at = v.seen_at and ${ANSWERS})
    ) s join urls u on u.id = s.url_id order by s.url_id, s.at, s.id`.execute(db);
  const seen: SeenPage[] = [];
  for (let from = 0; from < rows.length; ) {
    const { url } = rows[from] as SightingRow;
    const found: PageSighting[] = [];
    for (; rows[from]?.url === url; from++) {
      const row = rows[from] as SightingRow;
      const before = found.at(-1);
      // A page that asked for itself again has two captures in its event; the first is its document.
      if (before?.at !== row.at) found.push(sightingOf(row, before));
    }
    seen.push({ url, sightings: found });
  }
  return seen;
}

const LAST_SEEN = bulkQuery<{ url_id: number; sha256: string; look: string | null }>()({
  name: 'last-seen',
  columns: { url_id: 'int', last_at: 'int' },
  sql: `select rows.url_id, coalesce(v.sha256, c.sha256, o.sha256) as sha256, ${LOOK_TEXT} as look
    from {rows} join captures c on c.id = (select min(c.id) from captures c where c.url_id = rows.url_id
      and c.taken_at = rows.last_at and ${ANSWER_TEXT} and (${THERE_TEXT} or ${GONE_TEXT}))
    left join captures o on o.id = c.original_id
    left join versions v on v.url_id = c.url_id and v.seen_at = coalesce(c.version_at, c.taken_at)
    left join analyses a on a.url_id = c.url_id and a.seen_at = c.taken_at`,
});

/** What `sightings` tells of pages at one moment each: none of those that were left out then. */
export async function lastSeen(
  engine: Engine,
  db: Connection,
  pages: readonly Pick<SteadyPage, 'url_id' | 'last_at'>[],
): Promise<ReadonlyMap<number, { readonly sha256: string; readonly look: string | null }>> {
  const rows = pages.map(({ url_id, last_at }) => ({ url_id, last_at }));
  return new Map((await engine.bulk(db, LAST_SEEN, rows)).map(({ url_id, ...seen }) => [url_id, seen]));
}

/** Most visits find what the one before found: one text for both, or two million sightings hold as many digests. */
function sightingOf(
  { at, there, sha256, look, importance, salience }: SightingRow,
  before: PageSighting | undefined,
): PageSighting {
  return {
    at,
    state: there === 1 ? 'there' : 'gone',
    sha256: before?.sha256 === sha256 ? before.sha256 : sha256,
    ...(look !== null && { look: before?.look === look ? before.look : look }),
    ...(importance !== null && { importance }),
    ...(salience !== null && { salience }),
  };
}

/** Pages whose standings are read together: about as many as are packed in a row. */
const STANDINGS = 1_000;

interface StandingRow {
  readonly url_id: number;
  readonly url: string;
  readonly stored_at: number | null;
  readonly stored: string | null;
  readonly seen_at: number | null;
  readonly seen: string | null;
  readonly look: string | null;
  readonly basis: VersionFact['basis'] | null;
  readonly accumulated: number | null;
  readonly threshold: number | null;
  readonly factor: number | null;
  readonly weigh: Weighing | null;
}

export async function* pageStandings(db: Connection, site: string): AsyncIterable<PageStanding> {
  const id = await siteId(db, site);
  if (id === undefined) return;
  for (let last = 0; ; ) {
    const pages = await db
      .selectFrom('pages')
      .select('url_id')
      .where('site_id', '=', id)
      .where('url_id', '>', last)
      .orderBy('url_id')
      .limit(STANDINGS)
      .execute();
    const end = pages.at(-1);
    if (!end) return;
    const steady = new Map<number, number>();
    for await (const { url_id, threshold } of steadyPages(db, { siteId: id, from: last + 1, to: end.url_id }))
      steady.set(url_id, threshold);
    const { rows } = await sql<StandingRow>`
      select p.url_id, u.url, c.taken_at as stored_at, coalesce(c.sha256, o.sha256) as stored, v.seen_at, v.sha256 as seen,
        case when v.seen_at > c.taken_at then v.look else ${LOOK} end as look, v.basis, v.accumulated,
        pp.threshold, ls.factor, lw.weigh
      from pages p join urls u on u.id = p.url_id
        left join captures c on c.id = (select c.id from captures c where c.url_id = p.url_id and ${ANSWERS}
          and ${THERE} order by c.taken_at desc, c.id desc limit 1)
        left join captures o on o.id = c.original_id
        left join versions v on v.url_id = p.url_id
          and v.seen_at = (select max(w.seen_at) from versions w where w.url_id = p.url_id)
        left join analyses a on a.url_id = c.url_id and a.seen_at = c.taken_at
        left join page_patterns pp on pp.url_id = p.url_id left join learnt_sites ls on ls.site_id = p.site_id
        left join learnt_weighings lw on lw.site_id = p.site_id
      where p.site_id = ${id} and p.url_id > ${last} and p.url_id <= ${end.url_id}`.execute(db);
    for (const row of rows) {
      const standing = standingOf(row, row.threshold ?? steady.get(row.url_id));
      if (standing) yield standing;
    }
    last = end.url_id;
  }
}

/** Undefined for a page that was never there. */
function standingOf(row: StandingRow, threshold: number | undefined): PageStanding | undefined {
  const stored = row.stored ?? '';
  const isNewer = row.seen !== null && (row.stored_at === null || (row.seen_at ?? 0) > row.stored_at);
  if (!isNewer && stored === '') return undefined;
  return {
    url: row.url,
    lastSha256: isNewer ? (row.seen ?? '') : stored,
    storedSha256: stored,
    ...(row.look !== null && { look: row.look }),
    accumulated: isSameUnit(row) ? (row.accumulated ?? 0) : 0,
    ...(threshold !== undefined && row.factor !== null && { threshold: threshold * row.factor }),
    ...(row.weigh !== null && { weigh: row.weigh }),
  };
}

/** Sums of importance and of salience do not add up. */
const isSameUnit = ({ basis, weigh }: StandingRow): boolean =>
  (basis === 'salience') === (weigh === 'salience');
