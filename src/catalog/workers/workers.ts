import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { NewWorker, SignOfLife, WorkerFact, WorkerRole } from '../../model/worker.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { storable, whole } from '../names/stored-text.ts';
import { ownerOf } from '../owner.ts';
import type { Tables } from '../tables.ts';

/** Milliseconds by the database's clock: those of workers may be minutes apart. */
export const databaseNow = ({ dialect }: Pick<Engine, 'dialect'>): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;

export async function joinWorkers(engine: Engine, worker: NewWorker): Promise<number> {
  // Whoever was dismissed joins as somebody new.
  engine.setWorker?.(undefined);
  const { id, opening } = await transaction(engine, async (db) => {
    const now = databaseNow(engine);
    const row = await db
      .insertInto('workers')
      .values({
        machine: storable(worker.machine),
        process: worker.process,
        version: worker.version,
        roles: JSON.stringify(worker.roles),
        since: now,
        beat_at: now,
        beats: 0,
        doing: '[]',
        settled: 0,
        rate: 0,
        connection: engine.connection ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .deleteFrom('writer_marks')
      .where('writer', 'not in', db.selectFrom('workers').select('connection'))
      .execute();
    if (worker.silence !== undefined)
      await db
        .insertInto('worker_silences')
        .values({ worker_id: row.id, silence: whole(worker.silence) })
        .execute();
    return { id: row.id, opening: (await ownerOf(db))?.opening };
  });
  engine.setOpening?.(opening);
  engine.setWorker?.(id);
  return id;
}

/** One statement, outside the turn of commits: whoever waits for a long one is alive. */
export async function giveSign(
  engine: Engine,
  workerId: number,
  { doing, settled, rate, pools }: SignOfLife,
): Promise<boolean> {
  const { numUpdatedRows } = await engine.db
    .updateTable('workers')
    .set((column) => ({
      beat_at: databaseNow(engine),
      beats: column('beats', '+', 1),
      doing: storable(JSON.stringify(doing)),
      settled: whole(settled),
      rate,
      ...(pools !== undefined && { pool: JSON.stringify(pools) }),
    }))
    .where('id', '=', workerId)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

export async function workers(db: Connection): Promise<readonly WorkerFact[]> {
  const rows = await db
    .selectFrom('workers as w')
    .leftJoin('worker_silences as s', 's.worker_id', 'w.id')
    .selectAll('w')
    .select('s.silence')
    .orderBy('w.id')
    .execute();
  return rows.map(({ silence, ...row }) => ({ ...factOf(row), ...(silence !== null && { silence }) }));
}

export function factOf({
  beat_at: beatAt,
  roles,
  doing,
  pool,
  ...row
}: Selectable<Tables['workers']>): WorkerFact {
  return {
    ...row,
    beatAt,
    roles: JSON.parse(roles) as WorkerRole[],
    doing: JSON.parse(doing) as string[],
    ...(pool !== null && { pools: JSON.parse(pool) as string[] }),
  };
}

/**
 * Its connections are ended first: it may hang in the middle of a commit, which then comes to nothing, and would keep the row
 * that tells its standing, and everybody else, waiting.
 */
export async function dismissWorkers(engine: Engine, workerIds: readonly number[], pause = 0): Promise<void> {
  if (workerIds.length === 0) return;
  if (engine.dialect === 'postgres') {
    await sql`select pg_terminate_backend(a.pid) from pg_stat_activity a
      join workers w on w.connection = a.application_name
      where w.id in (${sql.join(workerIds)}) and a.usename = current_user and a.pid <> pg_backend_pid()
      and a.application_name <> ${engine.connection ?? ''}`.execute(engine.db);
  }
  const readyAt = sql<number>`${databaseNow(engine)} + ${sql.lit(whole(pause))}`;
  await transaction(engine, async (db) => {
    await db.deleteFrom('workers').where('id', 'in', workerIds).execute();
    await db.deleteFrom('worker_silences').where('worker_id', 'in', workerIds).execute();
    await db
      .updateTable('host_leases')
      .set({
        worker_id: null,
        ready_at: sql`case when ready_at > ${readyAt} then ready_at else ${readyAt} end`,
      })
      .where('worker_id', 'in', workerIds)
      .execute();
    await db
      .updateTable('handed_crawls')
      .set({ worker_id: null, state: sql`case when state = 'running' then 'waiting' else state end` })
      .where('worker_id', 'in', workerIds)
      .execute();
  });
}
