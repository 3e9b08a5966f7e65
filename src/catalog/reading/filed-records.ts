import type { FiledRecord } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { storable } from '../names/stored-text.ts';
import { captureFact, selectCaptures } from './capture-facts.ts';

/** Rows fetched at a time. */
const PAGE = 500;

export async function* filedRecords(db: Connection, file: string): AsyncGenerator<FiledRecord> {
  const row = await db
    .selectFrom('warc_files')
    .select('id')
    .where('name', '=', storable(file))
    .executeTakeFirst();
  if (!row) return;
  for (let after = -1; ; ) {
    const rows = await selectCaptures(db)
      .select(['c.version_at', 'c.rest'])
      .where('c.file_id', '=', row.id)
      .where('c.file_offset', '>', after)
      .orderBy('c.file_offset')
      .limit(PAGE)
      .execute();
    for (const one of rows) {
      const { version_at: versionAt, rest } = one;
      yield {
        ...captureFact(one),
        ...(versionAt !== null && rest !== null && { repeats: { versionAt, rest } }),
      };
    }
    const last = rows.at(-1)?.file_offset;
    if (last === undefined) return;
    after = last;
  }
}
