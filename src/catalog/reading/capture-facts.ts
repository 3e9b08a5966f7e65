import { type SelectQueryBuilder, sql } from 'kysely';
import type { CaptureFact } from '../../model/capture.ts';
import type { Connection } from '../engines/engine.ts';
import { eventText, recordIdOf } from '../names/stored-ids.ts';
import type { Tables } from '../tables.ts';

/** Columns of a capture `c` that may stand in its original `o`: see tables.ts. */
export const MIME = sql<string>`coalesce(c.mime, o.mime)`;
export const SHA256 = sql<string>`coalesce(c.sha256, o.sha256)`;
export const SIZE = sql<number>`coalesce(c.size, o.size)`;
export const ETAG = sql<string | null>`nullif(coalesce(c.etag, o.etag), '')`;
export const LAST_MODIFIED = sql<string | null>`nullif(coalesce(c.last_modified, o.last_modified), '')`;

/** Captures with the names their ids stand for. */
export function selectCaptures(db: Connection) {
  return withNames(db.selectFrom('urls as u').innerJoin('captures as c', 'c.url_id', 'u.id'));
}

/**
 * The same, URL by URL. SQLite keeps the order of a CROSS JOIN: it walks the index of SURT keys and stops at
 * the limit, where it would else sort all captures for each page of a listing.
 */
export function selectCapturesByUrl(db: Connection) {
  return withNames(db.selectFrom('urls as u').crossJoin('captures as c').whereRef('c.url_id', '=', 'u.id'));
}

type Joined = SelectQueryBuilder<Tables & { u: Tables['urls']; c: Tables['captures'] }, 'u' | 'c', object>;

function withNames(captures: Joined) {
  return captures
    .innerJoin('warc_files as f', 'f.id', 'c.file_id')
    .leftJoin('captures as o', 'o.id', 'c.original_id')
    .leftJoin('urls as r', (join) => join.on(sql<boolean>`r.id = coalesce(c.refers_to_id, o.url_id)`))
    .select([
      'c.id',
      'u.url',
      'u.surt',
      'c.taken_at',
      'c.type',
      'c.record',
      'c.record_id',
      'f.name as file',
      'c.file_offset',
      'c.file_length',
      'c.method',
      'c.status',
      'c.event',
      'c.truncated',
      'c.original_id',
      'r.url as refers_to_url',
      'c.profile',
      'c.request_body',
      MIME.as('mime'),
      SHA256.as('sha256'),
      sql<string>`coalesce(c.sha1, o.sha1)`.as('sha1'),
      SIZE.as('size'),
      ETAG.as('etag'),
      LAST_MODIFIED.as('last_modified'),
      sql<number | null>`coalesce(c.refers_to_at, o.taken_at)`.as('refers_to_at'),
    ]);
}

export type StoredCaptureRow = Awaited<ReturnType<ReturnType<typeof selectCaptures>['execute']>>[number];

export function captureFact(row: StoredCaptureRow): CaptureFact {
  const { refers_to_url, refers_to_at } = row;
  const profile = row.profile ?? (row.original_id === null ? null : 'identical-payload-digest');
  return {
    url: row.url,
    at: row.taken_at,
    type: row.type,
    recordId: recordIdOf(row.record, row.record_id),
    file: row.file,
    offset: row.file_offset,
    length: row.file_length,
    method: row.method,
    status: row.status,
    mime: row.mime,
    digest: { sha256: row.sha256, sha1: row.sha1, size: row.size },
    ...(row.event !== null && { eventId: eventText(row.event) }),
    ...(row.truncated !== null && { truncated: row.truncated }),
    ...(refers_to_url !== null &&
      refers_to_at !== null &&
      profile !== null && { refersTo: { url: refers_to_url, at: refers_to_at, profile } }),
    ...(row.etag !== null && { etag: row.etag }),
    ...(row.last_modified !== null && { lastModified: row.last_modified }),
    ...(row.request_body !== null && { requestBody: row.request_body }),
  };
}
