import { bulkInsert } from '../engines/bulk-statement.ts';
import type { Connection } from '../engines/engine.ts';
import { storable } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

/** Characters. PostgreSQL indexes no text past 2,704 bytes. */
const NOTE_LENGTH = 600;

const ADD_NOTE = bulkInsert('crawl_notes', 'on conflict (crawl_id, note) do nothing');

export async function writeNotes(
  { engine, connection, crawlId }: Pick<CommitScope, 'engine' | 'connection' | 'crawlId'>,
  notes: readonly string[],
): Promise<void> {
  if (notes.length === 0) return;
  const rows = [...new Set(notes)].map((note) => ({
    crawl_id: crawlId,
    note: storable(note).slice(0, NOTE_LENGTH),
  }));
  await engine.bulk(connection, ADD_NOTE, rows);
}

/** In the order they were made. */
export async function crawlNotes(db: Connection, crawlId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('crawl_notes')
    .where('crawl_id', '=', crawlId)
    .orderBy('id')
    .select('note')
    .execute();
  return rows.map(({ note }) => note);
}
