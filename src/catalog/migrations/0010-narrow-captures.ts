import type { Migration, SchemaWords } from '../migrate.ts';

/** Ids as bytes: see names/stored-ids.ts. */
function bytesOf({ dialect }: SchemaWords, text: string, uuid: string): string {
  const hex = `replace(${uuid}, '-', '')`;
  return dialect === 'postgres'
    ? `case when ${uuid} ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then decode(${hex}, 'hex')
        else convert_to(chr(1) || ${text}, 'UTF8') end`
    : `case when ${uuid} = lower(${uuid}) and ${uuid} glob '????????-????-????-????-????????????'
        and length(unhex(${hex})) = 16 then unhex(${hex}) else cast(char(1) || ${text} as blob) end`;
}

const KEPT = `url_id, site_id, taken_at, type, file_id, file_offset, file_length, method, status, mime, sha256, sha1, size,
  truncated, refers_to_id, refers_to_at, profile, etag, last_modified, request_body`;

/**
 * A capture that repeats another says only so, and ids are bytes: a crawl of an unchanged site added 750 bytes per page to this
 * table and its indexes, most of them said before. Rows from before stay as they are, but for their ids.
 */
export const narrowCaptures: Migration = {
  version: 10,
  name: 'narrow-captures',
  statements: (words) => {
    const { dialect, id, int, text, bytes, strict } = words;
    const uuid = dialect === 'postgres' ? `substring(record_id from 11 for 36)` : `substr(record_id, 11, 36)`;
    const isUuid = `(record_id like '<urn:uuid:%' and length(record_id) = 47)`;
    const record = bytesOf(words, 'record_key', `case when ${isUuid} then ${uuid} else '' end`);
    return [
      `create table captures_next (id ${id}, url_id ${int} not null, site_id ${int}, taken_at ${int} not null,
        type ${text} not null, record ${bytes} not null unique, record_id ${text}, file_id ${int} not null,
        file_offset ${int} not null, file_length ${int} not null, method ${text} not null, status ${int} not null,
        event ${bytes}, original_id ${int}, version_at ${int}, rest ${int}, mime ${text}, sha256 ${text}, sha1 ${text},
        size ${int}, truncated ${text}, refers_to_id ${int}, refers_to_at ${int}, profile ${text}, etag ${text},
        last_modified ${text}, request_body ${text}, unique (file_id, file_offset))${strict}`,
      `insert into captures_next (id, record, record_id, event, ${KEPT})
        select id, ${record}, record_id, case when event_id is not null then ${bytesOf(words, 'event_id', 'event_id')} end,
        ${KEPT} from captures order by id`,
      `update captures_next set record_id = null where length(record) = 16`,
      `drop table captures`,
      `alter table captures_next rename to captures`,
      ...(dialect === 'postgres'
        ? [`select setval(pg_get_serial_sequence('captures', 'id'), greatest(max(id), 1)) from captures`]
        : []),
      `create index captures_by_url on captures (url_id, taken_at)`,
      `create index captures_by_site on captures (site_id, taken_at)`,
      `create index captures_by_sha256 on captures (substr(sha256, 1, 10), taken_at) where type <> 'revisit'`,
      `create index captures_by_sha1 on captures (substr(sha1, 1, 8), taken_at) where type <> 'revisit'`,
      `alter table visits add column event ${bytes}`,
      `update visits set event = ${bytesOf(words, 'event_id', 'event_id')} where event_id is not null`,
      `alter table visits drop column event_id`,
    ];
  },
};
