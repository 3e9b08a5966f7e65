import { sql } from 'kysely';
import type { FileMerge, KnownFile, OutlivedFile } from '../../ports/catalog.ts';
import { bulkWrite } from '../engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { storable, whole } from '../names/stored-text.ts';
import { openScope, withNames } from './commit.ts';
import { writeCaptures, writeSurts } from './commit-captures.ts';
import type { Names } from './names.ts';

export const MOVE_PART = bulkWrite({
  name: 'move-part',
  columns: { file_id: 'int', shift: 'int', from_id: 'int', first: 'int', past: 'int' },
  sql: `update captures set file_id = rows.file_id, file_offset = captures.file_offset + rows.shift from {rows}
    where captures.file_id = rows.from_id and captures.file_offset >= rows.first and captures.file_offset < rows.past`,
  sqliteSql: `update captures set file_id = ?, file_offset = file_offset + ?
    where file_id = ? and file_offset >= ? and file_offset < ?`,
});

/** Names in one statement. */
const NAMES = 200;

/**
 * One transaction. Rows follow their records to the new file, and the old ones are listed as replaced. Nothing is done where one of
 * them is not as it was: somebody else has merged it, or was writing to it.
 */
export function mergeFiles(engine: Engine, names: Names, merge: FileMerge): Promise<boolean> {
  const work = async (connection: Connection): Promise<boolean> => {
    // Whoever commits waits, and then finds what was replaced: none of them can be known again (commit-captures.ts).
    if (engine.dialect === 'postgres')
      await sql`lock table warc_files in share row exclusive mode`.execute(connection);
    const known = await rowsOf(
      connection,
      merge.parts.map(({ file }) => storable(file)),
    );
    const parts = merge.parts.map((part) => ({ ...part, row: known.get(storable(part.file)) }));
    if (parts.some(({ row, length }) => row?.length !== whole(length))) return false;
    const crawls = new Set(parts.map(({ row }) => row?.crawl_id ?? null));
    const [crawl = null] = crawls.size === 1 ? crawls : [];
    const { id: to } = await connection
      .insertInto('warc_files')
      .values({ name: storable(merge.to), length: whole(merge.length), crawl_id: crawl })
      .returning('id')
      .executeTakeFirstOrThrow();
    const moved = parts.map(({ row, length, shift }) => ({
      ...{ file_id: to, from_id: row?.id ?? 0, first: 0, past: whole(length), shift: whole(shift) },
    }));
    await engine.bulk(connection, MOVE_PART, moved);
    for (const ids of inGroups(moved.map(({ from_id }) => from_id)))
      await connection.deleteFrom('warc_files').where('id', 'in', ids).execute();
    await listReplaced(
      connection,
      merge.parts.map(({ file }) => file),
      merge.at,
    );
    const flat = {
      ...{ captures: merge.added, pages: [], changes: [], redirects: [], discovered: [], skips: [] },
    };
    const scope = await openScope(engine, connection, names, { crawlId: 0, visits: [] }, flat);
    await writeCaptures(scope, merge.added, new Map([[storable(merge.to), to]]), new Map());
    await writeSurts(scope, merge.added);
    return true;
  };
  // The old files are deleted later: a power cut must not bring them back into the catalog.
  return engine.lasting(() => withNames(engine, names, work));
}

interface FileRow {
  readonly id: number;
  readonly length: number;
  readonly crawl_id: number | null;
}

async function rowsOf(connection: Connection, files: readonly string[]): Promise<Map<string, FileRow>> {
  const known = new Map<string, FileRow>();
  for (const some of inGroups(files)) {
    const rows = await connection.selectFrom('warc_files').selectAll().where('name', 'in', some).execute();
    for (const { name, ...row } of rows) known.set(name, row);
  }
  return known;
}

function inGroups<T>(items: readonly T[]): readonly T[][] {
  return Array.from({ length: Math.ceil(items.length / NAMES) }, (_, i) =>
    items.slice(i * NAMES, (i + 1) * NAMES),
  );
}

export async function listReplaced(
  connection: Connection,
  files: readonly string[],
  at: number,
): Promise<void> {
  for (const some of inGroups(files))
    await connection
      .insertInto('replaced_files')
      .values(some.map((file) => ({ name: storable(file), replaced_at: whole(at) })))
      .execute();
}

export async function addReplaced(engine: Engine, files: readonly string[], at: number): Promise<void> {
  // What it lists is never known again: a power cut must not leave half of it.
  await engine.lasting(() => transaction(engine, (connection) => listReplaced(connection, files, at)));
}

export async function replacedFiles(db: Connection): Promise<readonly OutlivedFile[]> {
  const rows = await db.selectFrom('replaced_files').selectAll().orderBy('name').execute();
  return rows.map(({ name, replaced_at }) => ({ file: name, at: replaced_at }));
}

export async function forgetReplaced(engine: Engine, files: readonly string[]): Promise<void> {
  await transaction(engine, async (connection) => {
    for (const some of inGroups(files.map(storable)))
      await connection.deleteFrom('replaced_files').where('name', 'in', some).execute();
  });
}

export async function filesAsTold(db: Connection): Promise<readonly KnownFile[]> {
  const rows = await db.selectFrom('warc_files').selectAll().where('length', '>=', 0).orderBy('id').execute();
  return rows.map(({ name, length, crawl_id }) => ({
    file: name,
    length,
    ...(crawl_id !== null && { crawlId: crawl_id }),
  }));
}
