import { basename } from 'node:path';
import type { CapturedRecordType, CaptureFact, PayloadDigest, RevisitProfile } from '../model/capture.ts';
import { CERTIFICATE } from '../model/certificate.ts';
import type { Truncation } from '../model/exchange.ts';
import { header, mediaType } from '../model/exchange.ts';
import { CompactSet, compactKey } from './compact-set.ts';
import { base32, digestBody, EMPTY_DIGEST, parseDigest } from './digest.ts';
import { PAYLOAD_LENGTH, PAYLOAD_SHA1, validators } from './event-records.ts';
import { type ReadOptions, readRecords } from './read-records.ts';
import { requestQuery } from './request-query.ts';
import { UnreadRecords } from './unread-records.ts';
import { parseWarcDate } from './warc-date.ts';
import type { WarcRecord } from './warc-record.ts';

export interface RecordFact {
  readonly fact: CaptureFact;
  /** The record itself, for reading links from its HTML or the JSON of a `urn:pageinfo:`. */
  readonly record: WarcRecord;
}

/**
 * The facts of a WARC or ARC file of any tool, in the order of the file. Digests of full records are always computed from their
 * payload; a revisit has those its record states. A request comes before or after its response, so a response waits for one more
 * record before it is yielded.
 */
export async function* factsFromWarc(path: string, options: ReadOptions = {}): AsyncGenerator<RecordFact> {
  let request: WarcRecord | undefined;
  let held: RecordFact | undefined;
  const ids = new CompactSet();
  const unread = new UnreadRecords();
  for await (const record of readRecords(path, options)) {
    const type = indexedType(record);
    unread.see(record, type !== undefined);
    if (record.type === 'request') {
      if (held && isPair(held.record, record)) {
        yield { fact: withRequest(held.fact, record), record: held.record };
        held = undefined;
        request = undefined;
      } else request = record;
      continue;
    }
    if (held) yield held;
    held = undefined;
    if (!type || record.shared) continue;
    const { file, offset, dateFault } = record;
    if (record.url === '') {
      options.onProblem?.({ file, offset, reason: 'no WARC-Target-URI' });
      continue;
    }
    if (dateFault !== undefined) {
      const isLost = Number.isNaN(record.at);
      options.onProblem?.({ file, offset, reason: dateFault, severity: isLost ? 'error' : 'warning' });
      if (isLost) continue;
    }
    // ARC has no ids, and some tools use one twice: such records get a made-up id, or the catalog would keep only one of them.
    const isOwn = record.id !== '' && ids.addKey(compactKey(record.id));
    const recordId = isOwn ? record.id : `<urn:record:${encodeURIComponent(basename(file))}:${offset}>`;
    const fact = { ...(await factOf(record, type)), recordId };
    if (request && isPair(record, request)) {
      yield { fact: withRequest(fact, request), record };
      request = undefined;
    } else if (type === 'resource' || type === 'metadata') yield { fact, record };
    else held = { fact, record };
  }
  if (held) yield held;
  for (const problem of unread.problems(path)) options.onProblem?.(problem);
}

/** How a record is indexed; undefined if it is not. */
export function indexedType({ type, url, fields }: WarcRecord): CapturedRecordType | undefined {
  if (type === 'response' || type === 'revisit') return type;
  if (type === 'metadata' && url.startsWith(CERTIFICATE)) return type;
  // A `resource` of warc-fields describes the crawl, not a page: other indexers leave it out too.
  if (type !== 'resource') return undefined;
  return mediaType(fields) === 'application/warc-fields' ? undefined : 'resource';
}

function isPair(response: WarcRecord, request: WarcRecord): boolean {
  const concurrent =
    header(request.fields, 'warc-concurrent-to') ?? header(response.fields, 'warc-concurrent-to');
  if (concurrent === response.id || concurrent === request.id) return true;
  return response.url === request.url && response.type !== 'resource' && response.type !== 'metadata';
}

function withRequest(fact: CaptureFact, request: WarcRecord): CaptureFact {
  const head = request.httpHead;
  if (head?.kind !== 'request' || head.method === 'GET') return fact;
  const body = requestQuery(head.method, head.headers, request.payload.bytes ?? new Uint8Array(0));
  return { ...fact, method: head.method, ...(body === '' ? {} : { requestBody: body }) };
}

async function factOf(record: WarcRecord, type: CapturedRecordType): Promise<CaptureFact> {
  const { fields, httpHead } = record;
  const eventId = header(fields, 'warc-page-id');
  const truncated = truncationOf(record);
  const refersTo = type === 'revisit' ? target(record) : undefined;
  const plainMime = httpHead ? mediaType(httpHead.headers) : type === 'revisit' ? '' : mediaType(fields);
  return {
    file: basename(record.file),
    offset: record.offset,
    length: record.length,
    url: record.url,
    at: record.at,
    type,
    recordId: record.id,
    method: 'GET',
    status:
      httpHead?.kind === 'response' ? httpHead.status : type === 'resource' || type === 'metadata' ? 200 : 0,
    mime: plainMime,
    digest: type === 'revisit' ? toldDigest(record) : await digestBody(record.payload),
    ...(eventId ? { eventId } : {}),
    ...(truncated ? { truncated } : {}),
    ...(refersTo ? { refersTo } : {}),
    ...(httpHead ? validators(httpHead.headers) : {}),
  };
}

/** Undefined if the record holds the whole answer. A revisit holds none, and says nothing about the one it represents. */
export function truncationOf({ type, fields }: Pick<WarcRecord, 'type' | 'fields'>): Truncation | undefined {
  const word = header(fields, 'warc-truncated')?.toLowerCase();
  if (!word || type === 'revisit') return undefined;
  return word === 'length' || word === 'time' || word === 'disconnect' ? word : 'unspecified';
}

function target(record: WarcRecord): NonNullable<CaptureFact['refersTo']> {
  const { fields } = record;
  const url = header(fields, 'warc-refers-to-target-uri') ?? record.url;
  const { at } = parseWarcDate(header(fields, 'warc-refers-to-date') ?? '');
  const profile: RevisitProfile = header(fields, 'warc-profile')?.endsWith('/server-not-modified')
    ? 'server-not-modified'
    : 'identical-payload-digest';
  // Revisits from before 2015 do not say when: the nearest capture up to the revisit's own time is meant.
  return { url: url.replace(/^<(.*)>$/, '$1'), at: Number.isNaN(at) ? record.at : at, profile };
}

/** The digests a revisit names, in our spelling; '' for those it does not name. */
export function toldDigest({ fields }: WarcRecord): PayloadDigest {
  let sha256 = '';
  let sha1 = '';
  for (const name of ['warc-payload-digest', PAYLOAD_SHA1]) {
    const told = parseDigest(header(fields, name) ?? '');
    if (told?.algorithm === 'sha256') sha256 = told.bytes.toString('hex');
    if (told?.algorithm === 'sha1') sha1 = base32(told.bytes);
  }
  // Heritrix gives the digest of the empty 304 body here: it would lead to any empty payload.
  const isNotModified = header(fields, 'warc-profile')?.endsWith('/server-not-modified') ?? false;
  if (isNotModified && (sha1 === EMPTY_DIGEST.sha1 || sha256 === EMPTY_DIGEST.sha256)) {
    return { sha256: '', sha1: '', size: 0 };
  }
  const size = Number(header(fields, PAYLOAD_LENGTH));
  return { sha256, sha1, size: Number.isSafeInteger(size) && size > 0 ? size : 0 };
}
