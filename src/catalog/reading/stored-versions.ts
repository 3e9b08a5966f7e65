import { sql } from 'kysely';
import { isHtml } from '../../model/exchange.ts';
import { PRIVATE_FILE } from '../../model/private-capture.ts';
import type { PageVersions, StoredVersion, VersionLook } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { siteId } from './sighting-queries.ts';

/** Pages that are read together. */
const PAGES = 200;

interface VersionRow {
  readonly url: string;
  readonly at: number;
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
  { url, site }: { readonly url?: string; readonly site?: string },
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
    yield* await versionsOf(db, ids);
    last = end;
  }
}

async function versionsOf(db: Connection, pages: readonly number[]): Promise<readonly PageVersions[]> {
  const ids = sql.join(pages.map((page) => sql`${page}`));
  const { rows } = await sql<VersionRow>`
    select u.url, c.taken_at as at, coalesce(c.mime, o.mime) as mime,
      coalesce(nullif(coalesce(c.sha256, o.sha256), ''), c.sha1, o.sha1) as payload, v.look, ch.from_at as change_from,
      a.made_at, a.analyser, a.layout_at, a.compared_at, a.recut, a.facts
    from captures c join urls u on u.id = c.url_id
      join warc_files f on f.id = c.file_id and f.name not like ${`${PRIVATE_FILE}%`}
      left join captures o on o.id = c.original_id
      left join versions v on v.url_id = c.url_id and v.seen_at = coalesce(c.version_at, c.taken_at) and v.basis <> 'payload'
      left join analyses a on a.url_id = c.url_id and a.seen_at = c.taken_at
      left join changes ch on ch.url_id = c.url_id and ch.to_at = c.taken_at
    where c.url_id in (${ids}) and c.type in ('response', 'revisit') and c.method in ('GET', '') and c.status = 200
    order by c.url_id, c.taken_at, c.id`.execute(db);
  const found = new Map<string, StoredVersion[]>();
  for (const row of rows) {
    const list = found.get(row.url) ?? [];
    found.set(row.url, list);
    // A page that asked for itself again has two captures in its event; the first is its document.
    if (list.at(-1)?.at === row.at || !isHtml(row.mime ?? '')) continue;
    const look = lookOf(row);
    list.push({ at: row.at, payload: row.payload ?? '', ...(look && { look }) });
  }
  return [...found].map(([url, versions]) => ({ url, versions }));
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
