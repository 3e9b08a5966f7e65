import type { LearntPage, LearntSite, PagePattern, PatternGroup } from '../../model/pattern.ts';
import type { PatternPlace, PatternsOf } from '../../ports/catalog.ts';
import { bulkWrite } from '../engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { decodeSums, encodeSums } from '../names/stored-sums.ts';
import { keyOf, optional, storable, whole } from '../names/stored-text.ts';
import type { PatternTable } from '../tables.ts';
import { siteId } from './sighting-queries.ts';

/** Pages whose sums are read together. */
const PAGES = 500;

/** Places are given when all pages of the site are learnt: until then one keeps what it had. */
const SET_PATTERN = bulkWrite({
  name: 'set-pattern',
  columns: {
    url_key: 'text',
    site_key: 'text',
    kind: 'text',
    observations: 'int',
    changes: 'int',
    first_at: 'int',
    last_at: 'int',
    last_sha256: 'text',
    last_look: 'text',
    gone_at: 'int',
    sums: 'text',
  },
  sql: `insert into page_patterns (url_id, site_id, kind, observations, changes, first_at, last_at,
      last_sha256, last_look, gone_at, sums, group_number, threshold)
    select u.id, s.id, rows.kind, rows.observations, rows.changes, rows.first_at, rows.last_at,
      rows.last_sha256, rows.last_look, rows.gone_at, rows.sums, 0, 0
    from {rows} join urls u on u.key = rows.url_key join sites s on s.key = rows.site_key where true
    on conflict (url_id) do update set kind = excluded.kind, observations = excluded.observations,
      changes = excluded.changes, first_at = excluded.first_at, last_at = excluded.last_at,
      last_sha256 = excluded.last_sha256, last_look = excluded.last_look,
      gone_at = excluded.gone_at, sums = excluded.sums`,
});

const PLACE_PAGE = bulkWrite({
  name: 'place-page',
  columns: { group_number: 'int', threshold: 'real', url_key: 'text' },
  sql: `update page_patterns set group_number = rows.group_number, threshold = rows.threshold
    from {rows} join urls u on u.key = rows.url_key where page_patterns.url_id = u.id`,
  sqliteSql: `update page_patterns set group_number = ?, threshold = ?
    where url_id = (select id from urls where key = ?)`,
});

export async function learnPages(engine: Engine, site: string, pages: readonly LearntPage[]): Promise<void> {
  const siteKey = keyOf(storable(site));
  const rows = pages.map((page) => ({
    url_key: keyOf(storable(page.url)),
    site_key: siteKey,
    kind: page.kind,
    observations: page.observations,
    changes: page.changes,
    first_at: whole(page.firstAt),
    last_at: whole(page.lastAt),
    last_sha256: storable(page.lastSha256),
    last_look: optional(page.lastLook),
    gone_at: page.goneAt === undefined ? null : whole(page.goneAt),
    sums: encodeSums(page.sums),
  }));
  await transaction(engine, (db) => engine.bulk(db, SET_PATTERN, rows));
}

export async function forgetPatterns(engine: Engine, site: string): Promise<void> {
  await transaction(engine, async (db) => {
    const id = await siteId(db, site);
    if (id === undefined) return;
    for (const table of ['page_patterns', 'pattern_groups', 'learnt_sites'] as const)
      await db.deleteFrom(table).where('site_id', '=', id).execute();
  });
}

export async function settlePatterns(
  engine: Engine,
  { site, zone, holidays, budget, factor, mark }: LearntSite,
  groups: readonly PatternGroup[],
  places: readonly PatternPlace[],
): Promise<void> {
  await transaction(engine, async (db) => {
    const id = await siteId(db, site);
    if (id === undefined) return;
    const placed = places.map(({ url, group, threshold }) => ({
      group_number: group,
      threshold,
      url_key: keyOf(storable(url)),
    }));
    await engine.bulk(db, PLACE_PAGE, placed);
    await db.deleteFrom('pattern_groups').where('site_id', '=', id).execute();
    for (const { kind, number, pages, shape } of groups) {
      const row = { site_id: id, kind, number, pages, shape: JSON.stringify(shape) };
      await db.insertInto('pattern_groups').values(row).execute();
    }
    const row = {
      zone: storable(zone),
      holidays: optional(holidays),
      budget: budget === undefined ? null : whole(budget),
      factor,
      mark,
    };
    await db
      .insertInto('learnt_sites')
      .values({ site_id: id, ...row })
      .onConflict((conflict) => conflict.column('site_id').doUpdateSet(row))
      .execute();
  });
}

export async function learntSite(db: Connection, site: string): Promise<LearntSite | undefined> {
  const row = await db
    .selectFrom('learnt_sites')
    .selectAll()
    .where('site_id', '=', (await siteId(db, site)) ?? -1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { zone, holidays, budget, factor, mark } = row;
  return {
    site,
    zone,
    ...(holidays !== null && { holidays }),
    ...(budget !== null && { budget }),
    factor,
    mark,
  };
}

export async function patternGroups(db: Connection, site: string): Promise<readonly PatternGroup[]> {
  const rows = await db
    .selectFrom('pattern_groups')
    .select(['kind', 'number', 'pages', 'shape'])
    .where('site_id', '=', (await siteId(db, site)) ?? -1)
    .orderBy('kind')
    .orderBy('number')
    .execute();
  return rows.map((row) => ({ ...row, shape: JSON.parse(row.shape) as readonly number[] }));
}

export async function* pagePatterns(db: Connection, query: PatternsOf): AsyncIterable<PagePattern> {
  let wanted = db
    .selectFrom('page_patterns as p')
    .innerJoin('urls as u', 'u.id', 'p.url_id')
    .select(['p.url_id', 'u.url'])
    .orderBy('u.url');
  if (query.urls) {
    if (query.urls.length === 0) return;
    wanted = wanted.where(
      'u.key',
      'in',
      query.urls.map((url) => keyOf(storable(url))),
    );
  }
  if (query.site !== undefined) wanted = wanted.where('p.site_id', '=', (await siteId(db, query.site)) ?? -1);
  // Names first: the sums are many times as long, and are held for some pages only.
  const pages = await wanted.execute();
  for (let from = 0; from < pages.length; from += PAGES) {
    const some = pages.slice(from, from + PAGES);
    const ids = some.map(({ url_id }) => url_id);
    const rows = await db.selectFrom('page_patterns').selectAll().where('url_id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.url_id, row]));
    for (const { url_id, url } of some) {
      const row = byId.get(url_id);
      if (row) yield patternOf(url, row);
    }
  }
}

function patternOf(url: string, row: PatternTable): PagePattern {
  return {
    url,
    kind: row.kind,
    observations: row.observations,
    changes: row.changes,
    firstAt: row.first_at,
    lastAt: row.last_at,
    lastSha256: row.last_sha256,
    ...(row.last_look !== null && { lastLook: row.last_look }),
    ...(row.gone_at !== null && { goneAt: row.gone_at }),
    sums: decodeSums(row.sums),
    group: row.group_number,
    threshold: row.threshold,
  };
}
