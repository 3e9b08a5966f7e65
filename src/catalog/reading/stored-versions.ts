import { sql } from 'kysely';
import { snapshotUri } from '../../model/derived-uris.ts';
import { isHtml } from '../../model/exchange.ts';
import { PRIVATE_FILE } from '../../model/private-capture.ts';
import type { PageVersions, StoredVersion, StoredVersionQuery, VersionLook } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { siteId } from './sighting-queries.ts';

/** Pages that are read together. */
const PAGES = 200;

interface VersionRow {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  readonly mime: string | null;
  readonly payload: string | null;
  /** Time of the layout that the crawl found; not a number while that layout is not archived. */
  readonly look: string | null;
  readonly change_from: number | null;
  readonly made_at: number | null;
  readonly analyser: string | null;
  readonly layout_at: number | null;
  readonly compared_at: number | null;
  readonly recut: number | null;
  readonly facts: string | null;
}

/** Page by page, in the order they became known. */
export async function* storedVersions(
  db: Connection,
  { url, site, withPrivate }: StoredVersionQuery,
): AsyncIterable<PageVersions> {
  const ofSite = site === undefined ? undefined : ((await siteId(db, site)) ?? -1);
  for (let last = 0; ; ) {
    let pages = db
      .selectFrom('pages as p')
      .innerJoin('urls as u', 'u.id', 'p.url_id')
      .select('p.url_id')
      .where('p.url_id', '>', last)
      .orderBy('p.url_id')
      .limit(PAGES);
    if (url !== undefined) pages = pages.where('u.key', '=', keyOf(storable(url)));
    if (ofSite !== undefined) pages = pages.where('p.site_id', '=', ofSite);
    const ids = (await pages.execute()).map(({ url_id }) => url_id);
    const end = ids.at(-1);
    if (end === undefined) return;
    yield* await versionsOf(db, ids, withPrivate === true);
    last = end;
  }
}

/** How many pages have private captures that hold them. */
export async function privatePages(db: Connection): Promise<number> {
  const { pages } = await db
    .selectFrom('captures as c')
    .innerJoin('warc_files as f', 'f.id', 'c.file_id')
    .innerJoin('pages as p', 'p.url_id', 'c.url_id')
    .where('f.name', 'like', `${PRIVATE_FILE}%`)
    .where('c.status', 'in', [200, 304])
    .select((eb) => eb.fn.count('c.url_id').distinct().as('pages'))
    .executeTakeFirstOrThrow();
  return Number(pages);
}

async function versionsOf(
  db: Connection,
  pages: readonly number[],
  withPrivate: boolean,
): Promise<readonly PageVersions[]> {
  const ids = sql.join(pages.map((page) => sql`${page}`));
  const isTold = withPrivate ? sql`1 = 1` : sql`f.name not like ${`${PRIVATE_FILE}%`}`;
  const { rows } = await sql<VersionRow>`
    select u.url, c.taken_at as at, c.status, coalesce(c.mime, o.mime) as mime,
      coalesce(nullif(coalesce(c.sha256, o.sha256), ''), c.sha1, o.sha1) as payload, v.look, ch.from_at as change_from,
      a.made_at, a.analyser, a.layout_at, a.compared_at, a.recut, a.facts
    from captures c join urls u on u.id = c.url_id
      join warc_files f on f.id = c.file_id and ${isTold}
      left join captures o on o.id = c.original_id
      left join versions v on v.url_id = c.url_id and v.seen_at = coalesce(c.version_at, c.taken_at) and v.basis <> 'payload'
      left join analyses a on a.url_id = c.url_id and a.seen_at = c.taken_at
      left join changes ch on ch.url_id = c.url_id and ch.to_at = c.taken_at
    where c.url_id in (${ids}) and c.type in ('response', 'revisit') and c.method in ('GET', '') and c.status in (200, 304)
    order by c.url_id, c.taken_at, c.id`.execute(db);
  const seen = await seenTimes(db, rows);
  const found = new Map<string, StoredVersion[]>();
  for (const row of rows) {
    const list = found.get(row.url) ?? [];
    found.set(row.url, list);
    // A page that asked for itself again has two captures in its event; the first is its document.
    if (list.at(-1)?.at === row.at || !isHtml(row.mime ?? '')) continue;
    const look = lookOf(row);
    const isSeen = !look && seen.get(row.url)?.has(row.at) === true;
    // It is the version before, unless what it shows besides its bytes is to be looked at.
    if (row.status === 304 && row.made_at === null && !isSeen) continue;
    list.push({
      ...{ at: row.at, payload: row.payload ?? '' },
      ...(look && { look }),
      ...(isSeen && { isSeen }),
    });
  }
  return [...found].map(([url, versions]) => ({ url, versions }));
}

/** Of pages that nobody looked at, or not at all of their versions: the times of their snapshots. */
async function seenTimes(
  db: Connection,
  rows: readonly VersionRow[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const open = new Set(rows.filter((row) => !lookOf(row)).map(({ url }) => url));
  if (open.size === 0) return new Map();
  const pages = new Map([...open].map((url) => [keyOf(storable(snapshotUri(url))), url]));
  const snapshots = await db
    .selectFrom('urls as u')
    .innerJoin('captures as c', 'c.url_id', 'u.id')
    .innerJoin('warc_files as f', 'f.id', 'c.file_id')
    .where('u.key', 'in', [...pages.keys()])
    .where('f.name', 'not like', `${PRIVATE_FILE}%`)
    .select(['u.key', 'c.taken_at'])
    .execute();
  const times = new Map<string, Set<number>>();
  for (const { key, taken_at } of snapshots) {
    const url = pages.get(key) ?? '';
    const known = times.get(url);
    if (known) known.add(taken_at);
    else times.set(url, new Set([taken_at]));
  }
  return times;
}

function lookOf(row: VersionRow): VersionLook | undefined {
  if (row.made_at !== null) {
    return {
      madeAt: row.made_at,
      analyser: row.analyser ?? '',
      ...(row.layout_at !== null && { layoutAt: row.layout_at }),
      ...(row.compared_at !== null && { comparedAt: row.compared_at }),
      recut: row.recut === 1,
      facts: JSON.parse(row.facts ?? '[]') as readonly string[],
    };
  }
  if (row.look === null || !/^\d+$/.test(row.look)) return undefined;
  const layoutAt = Number(row.look);
  const comparedAt = row.change_from ?? (layoutAt === row.at ? undefined : layoutAt);
  return {
    madeAt: row.at,
    layoutAt,
    ...(comparedAt !== undefined && { comparedAt }),
    recut: false,
    facts: [],
  };
}
