import type { CaptureFact } from '../../model/capture.ts';
import { surt } from '../../model/surt.ts';
import { bulkInsert, bulkQuery, bulkWrite, type RowOf } from '../engines/bulk-statement.ts';
import { eventBytes, recordBytes, recordText } from '../names/stored-ids.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import { FORGOTTEN } from '../tables.ts';
import type { CommitScope } from './commit.ts';
import type { RepeatedVersion } from './repeated-versions.ts';

const ADD_FILE = bulkQuery<{ id: number; name: string }>()({
  name: 'add-file',
  columns: { name: 'text', length: 'int', crawl_id: 'int' },
  sql: `insert into warc_files (name, length, crawl_id)
    select rows.name, rows.length, rows.crawl_id from {rows}
    where not exists (select 1 from replaced_files r where r.name = rows.name)
    on conflict (name) do update set
      length = case when excluded.length > warc_files.length then excluded.length else warc_files.length end,
      crawl_id = coalesce(warc_files.crawl_id, excluded.crawl_id)
    returning id, name`,
});

/** Ids of the files named in the batch; a file that has been merged into another one is not known again. A file is known as far as its last capture, or further. */
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
  const rows = [...lengths].map(([name, length]) => ({
    name,
    length: whole(length),
    crawl_id: crawlId > 0 ? crawlId : null,
  }));
  const written = await engine.bulk(connection, ADD_FILE, rows);
  return new Map(written.map(({ name, id }) => [name, id]));
}

/** A record known already, by its place or by its id, is left as it is: reindexing adds nothing twice. */
const ADD_CAPTURE = bulkInsert('captures', 'on conflict do nothing');

interface Original {
  readonly place: number;
  readonly id: number;
  readonly mime: string;
  readonly sha1: string;
  readonly size: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** The capture that a revisit refers to, by URL and time, with the same payload. */
const FIND_ORIGINAL = bulkQuery<Original>()({
  name: 'find-original',
  columns: { place: 'int', url_id: 'int', taken_at: 'int', sha256: 'text' },
  sql: `select rows.place, c.id, c.mime, c.sha1, c.size, c.etag, c.last_modified from {rows}
    join captures c on c.id = (select min(e.id) from captures e where e.url_id = rows.url_id
      and e.taken_at = rows.taken_at and e.sha256 = rows.sha256 and e.type <> 'revisit')`,
});

const FIND_ELSEWHERE = bulkQuery<{ place: number }>()({
  name: 'find-elsewhere',
  columns: { place: 'int', record: 'bytes', file_id: 'int', file_offset: 'int' },
  sql: `select rows.place from {rows} join captures c on c.record = rows.record
    where c.file_id <> rows.file_id or c.file_offset <> rows.file_offset`,
});

/** Those that are not listed, because the same record stands in another place and was told first. */
export async function listedElsewhere(
  { engine, connection }: CommitScope,
  captures: readonly CaptureFact[],
  files: ReadonlyMap<string, number>,
): Promise<readonly CaptureFact[]> {
  const rows = captures.map(({ recordId, file, offset }, place) => ({
    ...{ place, record: recordBytes(recordId) },
    ...{ file_id: files.get(storable(file)) ?? null, file_offset: offset },
  }));
  const places = new Set((await engine.bulk(connection, FIND_ELSEWHERE, rows)).map(({ place }) => place));
  return captures.filter((_, place) => places.has(place));
}

export async function writeCaptures(
  scope: CommitScope,
  captures: readonly CaptureFact[],
  files: ReadonlyMap<string, number>,
  repeated: ReadonlyMap<CaptureFact, RepeatedVersion>,
): Promise<void> {
  const asked = captures.flatMap(({ refersTo, digest }, place) =>
    refersTo && digest.sha256 !== ''
      ? [
          {
            place,
            url_id: scope.url(refersTo.url).id,
            taken_at: whole(refersTo.at),
            sha256: storable(digest.sha256),
          },
        ]
      : [],
  );
  const found = await scope.engine.bulk(scope.connection, FIND_ORIGINAL, asked);
  const originals = new Map(found.map((original) => [original.place, original]));
  const rows = captures.map((fact, place): RowOf<(typeof ADD_CAPTURE)['columns']> => {
    const original = originals.get(place);
    const again = repeated.get(fact);
    return {
      url_id: scope.url(fact.url).id,
      site_id: scope.site(fact.url)?.id ?? null,
      taken_at: whole(fact.at),
      type: fact.type,
      record: recordBytes(fact.recordId),
      record_id: recordText(fact.recordId),
      file_id: files.get(storable(fact.file)) ?? null,
      file_offset: fact.offset,
      file_length: fact.length,
      method: storable(fact.method),
      status: fact.status,
      event: eventBytes(fact.eventId),
      version_at: again?.versionAt ?? null,
      rest: again?.rest ?? null,
      truncated: fact.truncated ?? null,
      request_body: optional(fact.requestBody),
      ...(original ? likeOriginal(scope, fact, original) : onItsOwn(scope, fact)),
    };
  });
  await scope.engine.bulk(scope.connection, ADD_CAPTURE, rows);
}

export function onItsOwn(scope: CommitScope, { mime, digest, refersTo, etag, lastModified }: CaptureFact) {
  return {
    original_id: null,
    mime: storable(mime),
    sha256: storable(digest.sha256),
    sha1: storable(digest.sha1),
    size: whole(digest.size),
    refers_to_id: refersTo ? scope.url(refersTo.url).id : null,
    refers_to_at: refersTo ? whole(refersTo.at) : null,
    profile: refersTo?.profile ?? null,
    etag: optional(etag),
    last_modified: optional(lastModified),
  };
}

/** What a revisit has in common with its original stands there alone; '' is none, where the original has one. */
function likeOriginal(scope: CommitScope, fact: CaptureFact, original: Original) {
  const own = onItsOwn(scope, fact);
  const unless = <T>(value: T, known: T): T | null => (value === known ? null : value);
  return {
    original_id: original.id,
    mime: unless(own.mime, original.mime),
    sha256: null,
    sha1: unless(own.sha1, original.sha1),
    size: unless(own.size, original.size),
    refers_to_id: null,
    refers_to_at: null,
    profile: unless(own.profile, 'identical-payload-digest'),
    etag: own.etag === original.etag ? null : (own.etag ?? ''),
    last_modified: own.last_modified === original.last_modified ? null : (own.last_modified ?? ''),
  };
}

const SET_SURT = bulkWrite({
  name: 'set-surt',
  columns: { surt: 'text', id: 'int' },
  sql: `update urls set surt = rows.surt from {rows} where urls.id = rows.id and urls.surt is null`,
  sqliteSql: 'update urls set surt = ? where id = ? and surt is null',
});

/** Captured URLs join the order of CDXJ. */
export async function writeSurts(
  scope: CommitScope,
  items: readonly { readonly url: string }[],
): Promise<void> {
  const rows: { surt: string; id: number }[] = [];
  for (const { url } of items) {
    const known = scope.url(url);
    if (known.hasSurt) continue;
    known.hasSurt = true;
    scope.note(known);
    rows.push({ surt: storable(surt(known.name)), id: known.id });
  }
  await scope.engine.bulk(scope.connection, SET_SURT, rows);
}
