import { sql } from 'kysely';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';

/**
 * A table that is there from the moment a rebuild forgets what records told to the moment all of it is back. Not in
 * tables.ts: its being there is all it says, and a catalog without it is no older than one that had it.
 */
const MARK = 'unfinished_rebuild';

export const beginRebuild = (engine: Engine): Promise<void> => transaction(engine, (db) => markRebuild(db));

/** Within the transaction that forgets: no reader sees the one without the other. */
export async function markRebuild(db: Connection): Promise<void> {
  await sql`create table if not exists ${sql.table(MARK)} (one integer)`.execute(db);
}

export const endRebuild = (engine: Engine): Promise<void> =>
  transaction(engine, async (db) => {
    await sql`drop table if exists ${sql.table(MARK)}`.execute(db);
  });

export async function isRebuilding({ db, dialect }: Engine): Promise<boolean> {
  const query =
    dialect === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${MARK}`
      : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${MARK}`;
  return (await query.execute(db)).rows.length > 0;
}
