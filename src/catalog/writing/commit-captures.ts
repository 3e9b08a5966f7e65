import type { CaptureFact } from '../../model/capture.ts';
import { surt } from '../../model/surt.ts';
import type { BulkStatement } from '../engines/bulk-statement.ts';
import { recordKeyOf, storable, whole } from '../names/stored-text.ts';
import { FORGOTTEN } from '../tables.ts';
import type { CommitScope } from './commit.ts';

const ADD_FILE: BulkStatement = {
  name: 'add-file',
  columns: { name: 'text', length: 'int', crawl_id: 'int' },
  sql: `insert into warc_files (name, length, crawl_id)
    select rows.name, rows.length, rows.crawl_id from {rows} where true
    on conflict (name) do update set
      length = case when excluded.length > warc_files.length then excluded.length else warc_files.length end,
      crawl_id = coalesce(warc_files.crawl_id, excluded.crawl_id)
    returning id, name`,
  returns: true,
};

/** Ids of the files named in the batch. A file is known as far as its last capture, or further. */
export async function writeFiles(
  { engine, connection, crawlId }: CommitScope,
  captures: readonly CaptureFact[],
  fileLengths: ReadonlyMap<string, number>,
  unfinishedFile?: string,
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  const reach = (name: string, length: number): void => {
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  };
  for (const { file, offset, length } of captures) reach(storable(file), offset + length);
  for (const [file, length] of fileLengths) reach(storable(file), length);
  if (unfinishedFile !== undefined) lengths.set(storable(unfinishedFile), FORGOTTEN);
  const rows = [...lengths].map(([name, length]) => [name, whole(length), crawlId > 0 ? crawlId : null]);
  const written = await engine.bulk<{ id: number; name: string }>(connection, ADD_FILE, rows);
  return new Map(written.map(({ name, id }) => [name, id]));
}

const CAPTURE_COLUMNS = {
  url_id: 'int',
  site_id: 'int',
  taken_at: 'int',
  type: 'text',
  record_key: 'text',
  record_id: 'text',
  file_id: 'int',
  file_offset: 'int',
  file_length: 'int',
  method: 'text',
  status: 'int',
  mime: 'text',
  sha256: 'text',
  sha1: 'text',
  size: 'int',
  event_id: 'text',
  truncated: 'text',
  refers_to_id: 'int',
  refers_to_at: 'int',
  profile: 'text',
  etag: 'text',
  last_modified: 'text',
  request_body: 'text',
} as const;

/** A record known already, by its place or by its id, is left as it is: reindexing adds nothing twice. */
const ADD_CAPTURE: BulkStatement = {
  name: 'add-capture',
  columns: CAPTURE_COLUMNS,
  sql: `insert into captures (${Object.keys(CAPTURE_COLUMNS).join(', ')})
    select ${Object.keys(CAPTURE_COLUMNS)
      .map((column) => `rows.${column}`)
      .join(', ')} from {rows} where true
    on conflict do nothing`,
  returns: false,
};

const optional = (text: string | undefined): string | null => (text === undefined ? null : storable(text));

export async function writeCaptures(
  scope: CommitScope,
  captures: readonly CaptureFact[],
  files: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = captures.map((fact) => {
    const recordId = storable(fact.recordId);
    return [
      scope.url(fact.url).id,
      scope.site(fact.url)?.id ?? null,
      whole(fact.at),
      fact.type,
      recordKeyOf(recordId),
      recordId,
      files.get(storable(fact.file)) ?? null,
      fact.offset,
      fact.length,
      storable(fact.method),
      fact.status,
      storable(fact.mime),
      storable(fact.digest.sha256),
      storable(fact.digest.sha1),
      whole(fact.digest.size),
      optional(fact.eventId),
      fact.truncated ?? null,
      fact.refersTo ? scope.url(fact.refersTo.url).id : null,
      fact.refersTo ? whole(fact.refersTo.at) : null,
      fact.refersTo?.profile ?? null,
      optional(fact.etag),
      optional(fact.lastModified),
      optional(fact.requestBody),
    ];
  });
  await scope.engine.bulk(scope.connection, ADD_CAPTURE, rows);
}

const SET_SURT: BulkStatement = {
  name: 'set-surt',
  columns: { surt: 'text', id: 'int' },
  sql: `update urls set surt = rows.surt from {rows} where urls.id = rows.id and urls.surt is null`,
  sqliteSql: 'update urls set surt = ? where id = ? and surt is null',
  returns: false,
};

/** Captured URLs join the order of CDXJ. */
export async function writeSurts(
  scope: CommitScope,
  items: readonly { readonly url: string }[],
): Promise<void> {
  const rows: [string, number][] = [];
  for (const { url } of items) {
    const known = scope.url(url);
    if (known.hasSurt) continue;
    known.hasSurt = true;
    scope.note(known);
    rows.push([storable(surt(known.name)), known.id]);
  }
  await scope.engine.bulk(scope.connection, SET_SURT, rows);
}
