import { sql } from 'kysely';
import type { CatalogOwner } from '../model/archive-identity.ts';
import { type Connection, type Engine, transaction } from './engines/engine.ts';
import { MAY_WRITE } from './engines/may-write.ts';
import { storable, whole } from './names/stored-text.ts';

export async function ownerOf(db: Connection): Promise<CatalogOwner | undefined> {
  const row = await db.selectFrom('owner').selectAll().executeTakeFirst();
  if (!row) return undefined;
  const { id, name, opening, folder, host, opened_at: openedAt } = row;
  return { id, name, opening, folder, host, openedAt };
}

/** Whether the user of this connection may write, if it were not opened for reading. A file belongs to whoever has it. */
export async function mayWrite({ db, dialect }: Engine): Promise<boolean> {
  if (dialect === 'sqlite') return true;
  const { rows } = await sql<{ writes: boolean }>`select ${sql.raw(MAY_WRITE)} as writes`.execute(db);
  return rows[0]?.writes ?? true;
}

/** On disk when it resolves: the folder is told next. */
export async function claim(engine: Engine, owner: CatalogOwner): Promise<void> {
  const { id, name, opening, folder, host, openedAt } = owner;
  const row = {
    one: 1,
    id,
    name: storable(name),
    opening,
    folder: storable(folder),
    host: storable(host),
    opened_at: whole(openedAt),
  };
  engine.setOpening?.(undefined);
  await engine.lasting(() =>
    transaction(engine, async (db) => {
      await db.deleteFrom('writer_marks').execute();
      await db
        .insertInto('owner')
        .values(row)
        .onConflict((conflict) => conflict.column('one').doUpdateSet(row))
        .execute();
    }),
  );
  engine.setOpening?.(opening);
}
