import { type SiteBounds, type SiteRule, siteBounds } from '../../model/site-bounds.ts';
import type { MovedPages } from '../../ports/catalog.ts';
import { bulkWrite } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { decodeTargets, encodeTargets } from '../names/link-targets.ts';
import { urlsById } from '../reading/urls-by-id.ts';
import { LEARNT_TABLES } from '../tables.ts';
import { withNames } from './commit.ts';
import { countFolded } from './fold-crawl.ts';
import type { Names } from './names.ts';

/** URLs read at a time. */
const URLS = 2_000;

const LABELLED = ['captures', 'pages', 'changes', 'versions', 'imported_pages'] as const;
const RELABEL = LABELLED.map((table) =>
  bulkWrite({
    name: `relabel-${table}`,
    columns: { site_id: 'int', url_id: 'int' },
    sql: `update ${table} set site_id = rows.site_id from {rows} where ${table}.url_id = rows.url_id`,
    sqliteSql: `update ${table} set site_id = ? where url_id = ?`,
  }),
);

/**
 * Other rules: every row gets the site that it has by them. Only pages of hosts that old or new rules name can move, and only
 * URLs that were captured have rows; all of those are read once.
 */
export async function setSiteRules(
  engine: Engine,
  names: Names,
  rules: readonly SiteRule[],
): Promise<MovedPages> {
  const [before, after] = [engine.bounds, siteBounds(rules)];
  try {
    return await withNames(engine, names, async (db) => {
      engine.bounds = after;
      await writeRules(db, rules);
      return await relabel({ engine, names, db }, before, after);
    });
  } catch (error) {
    engine.bounds = before;
    throw error;
  }
}

interface Relabelling {
  readonly engine: Engine;
  readonly names: Names;
  readonly db: Connection;
}

async function writeRules(db: Connection, rules: readonly SiteRule[]): Promise<void> {
  await db.deleteFrom('site_rules').execute();
  if (rules.length > 0)
    await db
      .insertInto('site_rules')
      .values({ one: 1, rules: JSON.stringify(rules) })
      .execute();
}

async function relabel(work: Relabelling, before: SiteBounds, after: SiteBounds): Promise<MovedPages> {
  const { engine, names, db } = work;
  const sites = new Set<string>();
  let urls = 0;
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('urls')
      .select(['id', 'url'])
      .where('surt', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(URLS)
      .execute();
    const end = rows.at(-1);
    if (!end) break;
    last = end.id;
    const moved = rows.flatMap(({ id, url }) => {
      const [from, to] = [before.siteOf(url), after.siteOf(url)];
      if (from === to) return [];
      sites.add(from).add(to);
      return [{ id, to }];
    });
    if (moved.length === 0) continue;
    urls += moved.length;
    await names.sites.resolve(
      db,
      moved.map(({ to }) => to),
    );
    const labels = moved.map(({ id, to }) => ({ site_id: names.sites.get(to).id, url_id: id }));
    for (const statement of RELABEL) await engine.bulk(db, statement, labels);
  }
  await relabelInferences(work, after);
  await relabelVirtual(work, after);
  await forgetLearnt(work, sites);
  const crawls = await db.selectFrom('crawls').select('id').where('folded', 'is not', null).execute();
  for (const { id } of crawls) await countFolded(engine, db, id);
  return { urls, sites: [...sites].filter((site) => site !== '').sort() };
}

async function relabelVirtual({ names, db }: Relabelling, after: SiteBounds): Promise<void> {
  const rows = await db.selectFrom('virtual_directories').select(['id', 'site_id', 'urls']).execute();
  const first = new Map(rows.map(({ id, urls }) => [id, decodeTargets(urls)[0] ?? 0]));
  const urls = await urlsById(db, first.values());
  for (const { id, site_id } of rows) {
    const site = after.siteOf(urls.get(first.get(id) ?? 0) ?? '');
    if (site === '') continue;
    await names.sites.resolve(db, [site]);
    const to = names.sites.get(site).id;
    if (to !== site_id)
      await db.updateTable('virtual_directories').set({ site_id: to }).where('id', '=', id).execute();
  }
}

/** A directory is of the site of its pages. Two of one path, on hosts that became one site, become one. */
async function relabelInferences({ names, db }: Relabelling, after: SiteBounds): Promise<void> {
  const rows = await db
    .selectFrom('inferred_directories')
    .select(['id', 'crawl_id', 'key', 'site_id', 'urls', 'expected_missed'])
    .orderBy('id')
    .execute();
  const first = rows.map(({ urls }) => decodeTargets(urls)[0] ?? 0);
  const urls = await urlsById(db, first);
  const siteOf = first.map((id) => after.siteOf(urls.get(id) ?? ''));
  await names.sites.resolve(
    db,
    siteOf.filter((site) => site !== ''),
  );
  const joined = new Map<string, (typeof rows)[number] & { readonly to: number }>();
  for (const [index, row] of rows.entries()) {
    const site = siteOf[index] ?? '';
    const to = site === '' ? row.site_id : names.sites.get(site).id;
    const key = `${row.crawl_id} ${to} ${row.key}`;
    const same = joined.get(key);
    if (!same) {
      joined.set(key, { ...row, to });
      continue;
    }
    joined.set(key, {
      ...same,
      urls: encodeTargets([...decodeTargets(same.urls), ...decodeTargets(row.urls)]),
      expected_missed: same.expected_missed + row.expected_missed,
    });
    await db.deleteFrom('inferred_directories').where('id', '=', row.id).execute();
  }
  // In two steps, to avoid collisions: the old site of one row may be the new one of another.
  const moved = [...joined.values()].filter(({ to, site_id }) => to !== site_id);
  for (const { id } of moved)
    await db.updateTable('inferred_directories').set({ site_id: -id }).where('id', '=', id).execute();
  for (const { id, to, urls: all, expected_missed } of joined.values()) {
    const row = { site_id: to, urls: all, expected_missed };
    await db.updateTable('inferred_directories').set(row).where('id', '=', id).execute();
  }
}

async function forgetLearnt({ names, db }: Relabelling, sites: ReadonlySet<string>): Promise<void> {
  const named = [...sites].filter((site) => site !== '');
  await names.sites.resolve(db, named);
  for (const site of named)
    for (const table of LEARNT_TABLES)
      await db.deleteFrom(table).where('site_id', '=', names.sites.get(site).id).execute();
}
