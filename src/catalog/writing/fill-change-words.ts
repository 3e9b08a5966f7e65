import { sql } from 'kysely';
import type { Connection, Engine } from '../engines/engine.ts';

/** The first schema that has `change_words`. */
const SINCE = 25;

/**
 * Changes of an earlier catalog get the row that they are found by. Words may stand in it several times here, which costs room alone:
 * splitting them is left to `reindex`.
 */
export async function fillChangeWords(
  { dialect }: Pick<Engine, 'dialect'>,
  db: Connection,
  before: number,
): Promise<void> {
  if (before === 0 || before >= SINCE) return;
  const joined = sql.raw(dialect === 'sqlite' ? 'group_concat' : 'string_agg');
  await sql`insert into change_words (change_id, kinds, words)
    select change_id, ' ' || ${joined}(op || '/' || element, ' ') || ' ', ${joined}(search, ' ')
    from operations group by change_id`.execute(db);
}
