import { sql } from 'kysely';
import type { Asked, AskedAnswer } from '../../model/worker.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { storable, whole } from '../names/stored-text.ts';
import { databaseNow } from './workers.ts';

export function addAsked(engine: Engine, { ask, input }: Omit<Asked, 'id'>): Promise<number> {
  return transaction(engine, async (db) => {
    const row = await db
      .insertInto('asked')
      .values({
        ...{ ask: storable(ask), input: storable(JSON.stringify(input)) },
        ...{ asked_at: databaseNow(engine), state: 'waiting', answer: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}

/** What nobody took in time was given up by whoever asked, or is of one that died. */
export async function takeAsked(engine: Engine, forgetAfter: number): Promise<Asked | undefined> {
  // Asked every second: nothing is locked where nothing waits.
  const [waiting] = await engine.db.selectFrom('asked').select('id').limit(1).execute();
  if (!waiting) return undefined;
  return transaction(engine, async (db) => {
    await db
      .deleteFrom('asked')
      .where('asked_at', '<', sql<number>`${databaseNow(engine)} - ${sql.lit(whole(forgetAfter))}`)
      .execute();
    const row = await db
      .selectFrom('asked')
      .selectAll()
      .where('state', '=', 'waiting')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    await db.updateTable('asked').set({ state: 'taken' }).where('id', '=', row.id).execute();
    return { id: row.id, ask: row.ask, input: JSON.parse(row.input) as unknown };
  });
}

export function answerAsked(engine: Engine, id: number, { state, answer }: AskedAnswer): Promise<void> {
  return transaction(engine, async (db) => {
    await db
      .updateTable('asked')
      .set({ state, answer: answer === undefined ? null : storable(JSON.stringify(answer)) })
      .where('id', '=', id)
      .execute();
  });
}

export async function askedAnswer(db: Connection, id: number): Promise<AskedAnswer | undefined> {
  const row = await db
    .selectFrom('asked')
    .select(['state', 'answer'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return { state: row.state, ...(row.answer !== null && { answer: JSON.parse(row.answer) as unknown }) };
}

export function forgetAsked(engine: Engine, id: number): Promise<void> {
  return transaction(engine, async (db) => {
    await db.deleteFrom('asked').where('id', '=', id).execute();
  });
}
