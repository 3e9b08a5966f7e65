import type { CaptureFact } from '../../model/capture.ts';
import { schemaSteps } from '../migrate.ts';
import { keyOf, recordKeyOf } from '../names/stored-text.ts';

const PAGE = 'https://example.org/';
const FILE = 'old.warc.gz';
const SHA256 = 'ab'.repeat(32);
const EVENT = '7236905f-71a7-4238-9a34-264aa9837769';

const first: CaptureFact = {
  url: PAGE,
  at: 1,
  type: 'response',
  recordId: '<urn:uuid:1db022ce-7f8f-40c6-901d-6372daea68a9>',
  file: FILE,
  offset: 0,
  length: 10,
  method: 'GET',
  status: 200,
  mime: 'text/html',
  digest: { sha256: SHA256, sha1: 'ABC', size: 300 },
  eventId: EVENT,
  etag: '"1"',
};

/** What a catalog of any earlier schema holds, made by `oldCatalog`: ids that are UUIDs, and others. */
export const OLD_CAPTURES: readonly CaptureFact[] = [
  first,
  {
    ...first,
    at: 2,
    type: 'revisit',
    recordId: '<urn:uuid:1DB022CE-7F8F-40C6-901D-6372DAEA68A9>',
    offset: 10,
    eventId: 'the second visit',
    refersTo: { url: PAGE, at: 1, profile: 'identical-payload-digest' },
  },
];

const literal = (value: string | number | undefined): string =>
  value === undefined ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;

/** Statements that make a catalog as an earlier Daguerre left it: one crawl, one page that waits, two captures. */
export function oldCatalog(dialect: 'sqlite' | 'postgres', version: number): readonly string[] {
  const captures = OLD_CAPTURES.map((fact) => {
    const { at, type, recordId, offset, length, method, status, mime, digest, eventId, refersTo, etag } =
      fact;
    const values = [at, type, recordKeyOf(recordId), recordId, offset, length, method, status, mime];
    const more = [
      digest.sha256,
      digest.sha1,
      digest.size,
      eventId,
      refersTo && 1,
      refersTo?.at,
      refersTo?.profile,
    ];
    return `insert into captures (url_id, file_id, taken_at, type, record_key, record_id, file_offset, file_length, method,
      status, mime, sha256, sha1, size, event_id, refers_to_id, refers_to_at, profile, etag)
      values (${[1, 1, ...values, ...more, etag].map(literal).join(', ')})`;
  });
  return [
    `create table schema_version (application text not null, version integer not null)`,
    `insert into schema_version values ('daguerre', ${version})`,
    ...schemaSteps(dialect, 0, version),
    `insert into urls (key, url, surt) values ('${keyOf(PAGE)}', '${PAGE}', 'org,example)/')`,
    `insert into hosts (key, host) values ('${keyOf('example.org')}', 'example.org')`,
    `insert into warc_files (name, length) values ('${FILE}', 20)`,
    `insert into crawls (key, state, spec, started_at, bytes) values ('key', 'stopped', '{}', 1, 0)`,
    `insert into frontier (crawl_id, url_id, host_id, kind, state, depth, extra_hops, redirects, rank, reason, attempts,
      is_seed, not_before) values (1, 1, 1, 'page', 'pending', 0, 0, 0, 3, 'test', 0, 1, 0)`,
    ...captures,
  ];
}
