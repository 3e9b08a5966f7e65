import { sql } from 'kysely';
import type { WaitingPage, WaitingSite } from '../../model/worker.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import { bulkInsert, bulkWrite } from '../engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { siteId } from '../reading/sighting-queries.ts';
import type { CommitScope } from '../writing/commit.ts';

const ADD = bulkInsert(
  'waiting_analyses',
  'on conflict (url_id) do update set times = waiting_analyses.times + excluded.times, site_id = excluded.site_id',
);

/** Only as it was when it was read: a version that came since waits on. */
const SETTLE = bulkWrite({
  name: 'settle-analyses',
  columns: { key: 'text', times: 'int' },
  sql: `delete from waiting_analyses where exists (select 1 from {rows} join urls u on u.key = rows.key
    where u.id = waiting_analyses.url_id and rows.times = waiting_analyses.times)`,
});

/** In the transaction of the visits: whoever can read a version knows that it waits. */
export async function writeWaiting(scope: CommitScope, visits: readonly VisitCommit[]): Promise<void> {
  // PostgreSQL takes each row of an upsert once.
  const rows = new Map<number, { url_id: number; site_id: number | null; times: number }>();
  for (const { page, analyseLater } of visits) {
    if (!page || !analyseLater) continue;
    const { id } = scope.url(page.url);
    const times = (rows.get(id)?.times ?? 0) + 1;
    rows.set(id, { url_id: id, site_id: scope.site(page.url)?.id ?? null, times });
  }
  await scope.engine.bulk(scope.connection, ADD, [...rows.values()]);
}

export async function waitingPages(
  db: Connection,
  site: string,
  limit: number,
): Promise<readonly WaitingPage[]> {
  const id = await siteId(db, site);
  if (id === undefined) return [];
  return db
    .selectFrom('waiting_analyses as w')
    .innerJoin('urls as u', 'u.id', 'w.url_id')
    .where('w.site_id', '=', id)
    .orderBy('w.url_id')
    .limit(limit)
    .select(['u.url', 'w.times'])
    .execute();
}

export async function waitingSites(db: Connection): Promise<readonly WaitingSite[]> {
  const { rows } = await sql<WaitingSite>`select s.site, w.pages from
    (select site_id, count(*) as pages from waiting_analyses group by site_id) w join sites s on s.id = w.site_id
    order by s.site`.execute(db);
  return rows.map(({ site, pages }) => ({ site, pages: Number(pages) }));
}

export function settleWaiting(engine: Engine, pages: readonly WaitingPage[]): Promise<void> {
  const rows = pages.map(({ url, times }) => ({ key: keyOf(storable(url)), times }));
  return transaction(engine, async (db) => void (await engine.bulk(db, SETTLE, rows)));
}
