import type { LearntSite, PagePattern, PatternGroup } from '../../model/pattern.ts';
import type { PatternsOf } from '../../ports/catalog.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { decodeSums } from '../names/stored-sums.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import type { Tables } from '../tables.ts';
import { lastSeen, siteId, urlIds } from './sighting-queries.ts';
import { type SteadyPage, steadyPage, steadyPages } from './steady-pages.ts';
import { urlsById } from './urls-by-id.ts';

/** Pages whose sums are read together. */
const PAGES = 500;

export async function learntSite(db: Connection, site: string): Promise<LearntSite | undefined> {
  const row = await db
    .selectFrom('learnt_sites as l')
    .leftJoin('learnt_weighings as w', 'w.site_id', 'l.site_id')
    .selectAll('l')
    .select('w.weigh')
    .where('l.site_id', '=', (await siteId(db, site)) ?? -1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { zone, holidays, weigh, budget, factor, mark } = row;
  return {
    site,
    zone,
    ...(holidays !== null && { holidays }),
    ...(weigh !== null && { weigh }),
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

/** Names first: the sums are many times as long, and are held for some pages only. */
export async function* pagePatterns(engine: Engine, query: PatternsOf): AsyncIterable<PagePattern> {
  const { db } = engine;
  if (query.urls?.length === 0) return;
  const steady = await steadyOf(engine, query);
  const names = await urlsById(
    db,
    steady.map(({ url_id }) => url_id),
  );
  const pages: { url: string; url_id: number; steady?: SteadyPage }[] = [
    ...(await namesOf(db, query)),
    ...steady.map((page) => ({ url: names.get(page.url_id) ?? '', url_id: page.url_id, steady: page })),
  ];
  pages.sort((a, b) => (a.url < b.url ? -1 : 1));
  for (let from = 0; from < pages.length; from += PAGES) {
    const some = pages.slice(from, from + PAGES);
    const ids = some.flatMap(({ url_id, steady: page }) => (page ? [] : [url_id]));
    const rows =
      ids.length === 0
        ? []
        : await db.selectFrom('page_patterns').selectAll().where('url_id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.url_id, row]));
    const last = await lastSeen(
      engine,
      db,
      some.flatMap(({ steady: page }) => page ?? []),
    );
    for (const { url, url_id, steady: page } of some) {
      const row = byId.get(url_id);
      if (row) yield { url, ...patternOf(row) };
      const sighting = page && last.get(url_id);
      // Where that capture is lost nothing is known of the page: it is learnt anew from those that are left.
      if (!page || !sighting) continue;
      const { sha256: lastSha256, look } = sighting;
      const place = { group: page.group_number, threshold: page.threshold };
      yield { url, ...steadyPage(page), lastSha256, ...(look !== null && { lastLook: look }), ...place };
    }
  }
}

async function namesOf(db: Connection, query: PatternsOf): Promise<{ url: string; url_id: number }[]> {
  let wanted = db
    .selectFrom('page_patterns as p')
    .innerJoin('urls as u', 'u.id', 'p.url_id')
    .select(['p.url_id', 'u.url']);
  const keys = query.urls?.map((url) => keyOf(storable(url)));
  if (keys) wanted = wanted.where('u.key', 'in', keys);
  if (query.site !== undefined) wanted = wanted.where('p.site_id', '=', (await siteId(db, query.site)) ?? -1);
  return await wanted.execute();
}

async function steadyOf({ db, bounds }: Engine, { site, urls }: PatternsOf): Promise<readonly SteadyPage[]> {
  const found: SteadyPage[] = [];
  if (!urls) {
    const all = site === undefined ? undefined : { siteId: (await siteId(db, site)) ?? -1 };
    for await (const page of steadyPages(db, all)) found.push(page);
    return found;
  }
  const bySite = new Map<string, string[]>();
  for (const url of urls) {
    const name = bounds.siteOf(url);
    bySite.set(name, [...(bySite.get(name) ?? []), url]);
  }
  for (const [name, own] of bySite) {
    if (site !== undefined && site !== name) continue;
    const ids = new Set((await urlIds(db, own)).values());
    const range = { siteId: (await siteId(db, name)) ?? -1, from: Math.min(...ids), to: Math.max(...ids) };
    for await (const page of steadyPages(db, range)) if (ids.has(page.url_id)) found.push(page);
  }
  return found;
}

function patternOf(row: Tables['page_patterns']): Omit<PagePattern, 'url'> {
  return {
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
