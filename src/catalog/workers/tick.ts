import { sql } from 'kysely';
import type { WorkerFact } from '../../model/worker.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { storable } from '../names/stored-text.ts';
import { forgetLessons } from './unlearnt-visits.ts';
import { factOf } from './workers.ts';

/** A worker that is gone has it no more: there is no word for giving it back, and none that a dead one could forget to say. */
export function takeTick(engine: Engine, workerId: number): Promise<boolean> {
  return transaction(engine, async (db) => {
    const { rows } = await sql`
      insert into watch_tick (one, worker_id) values (1, ${sql.lit(workerId)})
      on conflict (one) do update set worker_id = excluded.worker_id
      where watch_tick.worker_id is null or watch_tick.worker_id = excluded.worker_id
        or not exists (select 1 from workers w where w.id = watch_tick.worker_id)
      returning one`.execute(db);
    return rows.length > 0;
  });
}

export async function tickHolder(db: Connection): Promise<WorkerFact | undefined> {
  const row = await db
    .selectFrom('watch_tick as t')
    .innerJoin('workers as w', 'w.id', 't.worker_id')
    .selectAll('w')
    .executeTakeFirst();
  return row && factOf(row);
}

/** Like every commit, refused once the worker is dismissed: a watch that wakes up late does not undo what the next one kept. */
export function keepWatch(engine: Engine, note: string, learnt: readonly number[] = []): Promise<void> {
  return transaction(engine, async (db) => {
    await forgetLessons(db, learnt);
    await db
      .insertInto('watch_tick')
      .values({ one: 1, worker_id: null, note: storable(note) })
      .onConflict((conflict) => conflict.column('one').doUpdateSet({ note: storable(note) }))
      .execute();
  });
}

export async function keptWatch(db: Connection): Promise<string | undefined> {
  const row = await db.selectFrom('watch_tick').select('note').executeTakeFirst();
  return row?.note ?? undefined;
}

export async function whileAlone(engine: Engine, work: () => Promise<void>): Promise<boolean> {
  if (engine.whileAlone) return engine.whileAlone(work);
  await work();
  return true;
}
