import { sql } from 'kysely';
import type { DroppedVisit, FileSwap } from '../../ports/catalog.ts';
import { bulkWrite } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { recordBytes, recordText } from '../names/stored-ids.ts';
import { storable, whole } from '../names/stored-text.ts';
import { type CommitScope, openScope, withNames } from './commit.ts';
import { onItsOwn, writeCaptures, writeSurts } from './commit-captures.ts';
import { writeVersions } from './commit-versions.ts';
import { listReplaced, MOVE_PART } from './merge-files.ts';
import type { Names } from './names.ts';
import { standAlone } from './recovery.ts';

const MOVE_RECORD = bulkWrite({
  name: 'move-record',
  columns: { file_id: 'int', file_offset: 'int', file_length: 'int', from_id: 'int', was: 'int' },
  sql: `update captures set file_id = rows.file_id, file_offset = rows.file_offset, file_length = rows.file_length
    from {rows} where captures.file_id = rows.from_id and captures.file_offset = rows.was`,
  sqliteSql: `update captures set file_id = ?, file_offset = ?, file_length = ? where file_id = ? and file_offset = ?`,
});

/** The row keeps its id, and with it its place among what was learnt from: nothing new was seen. */
const BECOME_INFO = bulkWrite({
  name: 'become-info',
  columns: {
    ...{ file_id: 'int', file_offset: 'int', file_length: 'int', url_id: 'int', taken_at: 'int' },
    ...{ record: 'bytes', record_id: 'text', mime: 'text', sha256: 'text', sha1: 'text', size: 'int' },
    ...{ from_id: 'int', was: 'int' },
  },
  sql: `update captures set file_id = rows.file_id, file_offset = rows.file_offset, file_length = rows.file_length,
      url_id = rows.url_id, taken_at = rows.taken_at, record = rows.record, record_id = rows.record_id, mime = rows.mime,
      sha256 = rows.sha256, sha1 = rows.sha1, size = rows.size, type = 'resource', method = 'GET', status = 200,
      site_id = null, original_id = null, version_at = null, rest = null, truncated = null, refers_to_id = null,
      refers_to_at = null, profile = null, etag = null, last_modified = null, request_body = null
    from {rows} where captures.file_id = rows.from_id and captures.file_offset = rows.was`,
});

const FORGET_VERSION = bulkWrite({
  name: 'forget-version',
  columns: { url_id: 'int', seen_at: 'int' },
  sql: `delete from versions where exists (select 1 from {rows}
    where rows.url_id = versions.url_id and rows.seen_at = versions.seen_at)`,
  sqliteSql: 'delete from versions where url_id = ? and seen_at = ?',
});

/**
 * One transaction. Rows follow their records to the new file; what is left of the old one went with it. Of a visit that was
 * dropped stays what its page info says, as after a rebuild.
 */
export function swapFile(engine: Engine, names: Names, swap: FileSwap): Promise<void> {
  const captures = [...swap.added, ...swap.dropped.map(({ info }) => info)];
  const work = async (connection: Connection): Promise<void> => {
    // Without their links: those are known, and stay.
    const pages = swap.dropped.map(({ page }) => ({ ...page, links: [] }));
    const naming = { crawlId: 0, visits: [] };
    const flat = { captures, pages, changes: [], redirects: [], discovered: [], skips: [] };
    const scope = await openScope(engine, connection, names, naming, flat);
    const from = await connection
      .selectFrom('warc_files')
      .select(['id', 'crawl_id'])
      .where('name', '=', storable(swap.from))
      .executeTakeFirstOrThrow();
    const { id: to } = await connection
      .insertInto('warc_files')
      .values({ name: storable(swap.to), length: whole(swap.length), crawl_id: from.crawl_id })
      .returning('id')
      .executeTakeFirstOrThrow();
    const place = { file_id: to, from_id: from.id };
    await engine.bulk(
      connection,
      MOVE_PART,
      swap.copied.map(({ first, past, shift }) => ({ ...place, first, past, shift })),
    );
    await engine.bulk(
      connection,
      MOVE_RECORD,
      swap.repacked.map(({ was, offset, length }) => ({
        ...place,
        was,
        file_offset: offset,
        file_length: length,
      })),
    );
    await engine.bulk(
      connection,
      BECOME_INFO,
      swap.dropped.map((visit) => ({ ...place, ...infoRow(scope, visit) })),
    );
    const gone = sql`file_id = ${from.id}`;
    await standAlone(connection, gone);
    await sql`delete from captures where ${gone}`.execute(connection);
    await connection.deleteFrom('warc_files').where('id', '=', from.id).execute();
    if (swap.replacedAt !== undefined) await listReplaced(connection, [swap.from], swap.replacedAt);
    const versions = swap.dropped.map(({ page: { url, at } }) => ({
      url_id: scope.url(url).id,
      seen_at: whole(at),
    }));
    await engine.bulk(connection, FORGET_VERSION, versions);
    await writeVersions(scope, pages);
    await writeCaptures(scope, swap.added, new Map([[storable(swap.to), to]]), new Map());
    await writeSurts(scope, captures);
  };
  // The old file is deleted next: a power cut must not bring it back into the catalog.
  return engine.lasting(() => withNames(engine, names, work));
}

function infoRow(scope: CommitScope, { info, was }: DroppedVisit) {
  const { mime, sha256, sha1, size } = onItsOwn(scope, info);
  return {
    was,
    file_offset: info.offset,
    file_length: info.length,
    url_id: scope.url(info.url).id,
    taken_at: whole(info.at),
    record: recordBytes(info.recordId),
    record_id: recordText(info.recordId),
    ...{ mime, sha256, sha1, size },
  };
}
