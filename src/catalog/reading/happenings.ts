import { sql } from 'kysely';
import type { Happening, HappeningMark, NumberedVisit } from '../../ports/catalog.ts';
import { alertOf } from '../alerts.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { selectChanges, summaryOf } from './change-queries.ts';
import { foldedVisits } from './folded-entries.ts';
import { selectVisits, visitOf, withUrls } from './visit-rows.ts';

/** Costs next to nothing: no table is read. Of PostgreSQL it also moves with what others write into the same server. */
export async function stateMark({ db, dialect }: Pick<Engine, 'db' | 'dialect'>): Promise<string> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{
      mark: string;
    }>`select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
      else pg_current_wal_insert_lsn() end)::text as mark`.execute(db);
    return rows[0]?.mark ?? '';
  }
  const others = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  const own = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  return `${others.rows[0]?.data_version}.${own.rows[0]?.changes}`;
}

export async function happeningMark(db: Connection): Promise<HappeningMark> {
  const { rows } = await sql<HappeningMark>`select
    coalesce((select max(id) from visits), 0) as visits,
    coalesce((select max(id) from changes), 0) as changes,
    coalesce((select max(id) from alerts), 0) as alerts`.execute(db);
  return rows[0] ?? { visits: 0, changes: 0, alerts: 0 };
}

export async function happenings(
  db: Connection,
  after: HappeningMark,
  limit: number,
): Promise<readonly Happening[]> {
  const last = await happeningMark(db);
  // Rows of visits go when their crawl ends, and SQLite gives their numbers again.
  let mark: HappeningMark = {
    visits: Math.min(after.visits, last.visits),
    changes: Math.min(after.changes, last.changes),
    alerts: Math.min(after.alerts, last.alerts),
  };
  const found: Happening[] = [];
  for (const row of await newVisits(db, mark.visits, limit)) {
    mark = { ...mark, visits: row.id };
    found.push({ kind: 'visit', mark, crawlId: row.crawl_id, visit: visitOf(row) });
  }
  for (const { id, ...change } of await newChanges(db, mark.changes, limit)) {
    mark = { ...mark, changes: id };
    found.push({ kind: 'change', mark, change });
  }
  for (const row of await newAlerts(db, mark.alerts, limit)) {
    mark = { ...mark, alerts: row.id };
    found.push({ kind: 'alert', mark, alert: alertOf(row) });
  }
  return found;
}

export async function finishedVisits(
  db: Connection,
  crawlId: number,
  after: number,
  limit: number,
): Promise<readonly NumberedVisit[]> {
  const of = ({ visit_id }: { readonly visit_id: number }): boolean => visit_id > after;
  const newest = await foldedVisits(db, crawlId, { of, most: limit });
  const rows = await withUrls(db, newest.toReversed());
  return rows.map((row) => ({ number: row.id, visit: visitOf(row) }));
}

const newVisits = (db: Connection, after: number, limit: number) =>
  selectVisits(db).select('x.crawl_id').where('x.id', '>', after).orderBy('x.id').limit(limit).execute();

const newAlerts = (db: Connection, after: number, limit: number) =>
  db.selectFrom('alerts').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();

async function newChanges(db: Connection, after: number, limit: number) {
  const rows = await selectChanges(db).where('c.id', '>', after).orderBy('c.id').limit(limit).execute();
  return rows.map((row) => ({ id: row.id, ...summaryOf(row) }));
}
