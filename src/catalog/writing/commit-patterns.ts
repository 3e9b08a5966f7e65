import type { LearntPage, LearntSite, PatternGroup } from '../../model/pattern.ts';
import type { PatternPlace } from '../../ports/catalog.ts';
import { bulkInsert, bulkWrite } from '../engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { encodeSums } from '../names/stored-sums.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import { lastSeen, siteId, urlIds } from '../reading/sighting-queries.ts';
import { asSteady, type SteadyPage } from '../reading/steady-pages.ts';
import { LEARNT_TABLES } from '../tables.ts';
import { changeSteadyPages, type SteadyChanges } from './change-steady-pages.ts';

/** Places are given when all pages of the site are learnt: until then one keeps what it had. */
const SET_PATTERN = bulkInsert(
  'page_patterns',
  `on conflict (url_id) do update set kind = excluded.kind, observations = excluded.observations,
    changes = excluded.changes, first_at = excluded.first_at, last_at = excluded.last_at,
    last_sha256 = excluded.last_sha256, last_look = excluded.last_look,
    gone_at = excluded.gone_at, sums = excluded.sums`,
);

const REMOVE_PATTERN = bulkWrite({
  name: 'remove-pattern',
  columns: { url_id: 'int' },
  sql: 'delete from page_patterns where url_id in (select rows.url_id from {rows})',
  sqliteSql: 'delete from page_patterns where url_id = ?',
});

const PLACE_PAGE = bulkWrite({
  name: 'place-page',
  columns: { group_number: 'int', threshold: 'real', url_id: 'int' },
  sql: `update page_patterns set group_number = rows.group_number, threshold = rows.threshold
    from {rows} where page_patterns.url_id = rows.url_id`,
  sqliteSql: `update page_patterns set group_number = ?, threshold = ? where url_id = ?`,
});

type KnownPage = LearntPage & { readonly id: number };

export async function learnPages(engine: Engine, site: string, pages: readonly LearntPage[]): Promise<void> {
  await transaction(engine, async (db) => {
    const ofSite = await siteId(db, site);
    const ids = await urlIds(
      db,
      pages.map(({ url }) => url),
    );
    if (ofSite === undefined) return;
    const known = pages.flatMap((page): KnownPage[] => {
      const id = ids.get(page.url);
      return id === undefined ? [] : [{ ...page, id }];
    });
    const steady = await steadyOf(engine, db, known);
    const rows = known.filter(({ id }) => !steady.has(id));
    await engine.bulk(
      db,
      SET_PATTERN,
      rows.map((page) => rowOf(page, ofSite)),
    );
    await engine.bulk(
      db,
      REMOVE_PATTERN,
      [...steady.keys()].map((url_id) => ({ url_id })),
    );
    const changes: SteadyChanges = new Map(
      known.map(({ id }) => {
        const page = steady.get(id);
        return [
          id,
          (before) =>
            page && before
              ? { ...page, group_number: before.group_number, threshold: before.threshold }
              : page,
        ];
      }),
    );
    await changeSteadyPages(db, ofSite, changes);
  });
}

/** Those of which the captures tell what they were last: the rest has a row of its own. */
async function steadyOf(
  engine: Engine,
  db: Connection,
  pages: readonly KnownPage[],
): Promise<ReadonlyMap<number, SteadyPage>> {
  const calm = pages.flatMap((page) => {
    const steady = asSteady(page);
    return steady ? [{ page, steady: { url_id: page.id, ...steady } }] : [];
  });
  const last = await lastSeen(
    engine,
    db,
    calm.map(({ steady }) => steady),
  );
  const told = calm.filter(({ page: { id, lastSha256, lastLook } }) => {
    const sighting = last.get(id);
    return sighting?.sha256 === lastSha256 && (sighting.look ?? undefined) === lastLook;
  });
  return new Map(told.map(({ steady }) => [steady.url_id, steady]));
}

const rowOf = (page: KnownPage, site_id: number) => ({
  url_id: page.id,
  site_id,
  kind: page.kind,
  observations: page.observations,
  changes: page.changes,
  first_at: whole(page.firstAt),
  last_at: whole(page.lastAt),
  last_sha256: storable(page.lastSha256),
  last_look: optional(page.lastLook),
  gone_at: page.goneAt === undefined ? null : whole(page.goneAt),
  sums: encodeSums(page.sums),
  group_number: 0,
  threshold: 0,
});

export async function forgetPatterns(engine: Engine, site: string): Promise<void> {
  await transaction(engine, async (db) => {
    const id = await siteId(db, site);
    if (id === undefined) return;
    for (const table of LEARNT_TABLES) await db.deleteFrom(table).where('site_id', '=', id).execute();
  });
}

export async function settlePatterns(
  engine: Engine,
  { site, zone, holidays, weigh, budget, factor, mark }: LearntSite,
  groups: readonly PatternGroup[],
  places: readonly PatternPlace[],
): Promise<void> {
  await transaction(engine, async (db) => {
    const id = await siteId(db, site);
    if (id === undefined) return;
    await placePages(engine, db, id, places);
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
    await db.deleteFrom('learnt_weighings').where('site_id', '=', id).execute();
    if (weigh !== undefined) await db.insertInto('learnt_weighings').values({ site_id: id, weigh }).execute();
  });
}

async function placePages(
  engine: Engine,
  db: Connection,
  ofSite: number,
  places: readonly PatternPlace[],
): Promise<void> {
  const ids = await urlIds(
    db,
    places.map(({ url }) => url),
  );
  const placed = places.flatMap(({ url, group, threshold }) => {
    const url_id = ids.get(url);
    return url_id === undefined ? [] : [{ url_id, group_number: group, threshold }];
  });
  await engine.bulk(db, PLACE_PAGE, placed);
  const changes: SteadyChanges = new Map(
    placed.map((place) => [place.url_id, (known) => known && { ...known, ...place }]),
  );
  await changeSteadyPages(db, ofSite, changes);
}
