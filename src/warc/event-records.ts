import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { EMPTY_BODY } from '../model/body.ts';
import type { CaptureEvent, CaptureFact, ExchangeToStore } from '../model/capture.ts';
import type { HeaderList } from '../model/exchange.ts';
import { header, mediaType } from '../model/exchange.ts';
import { blockSha256, digestBody } from './digest.ts';
import type { RecordDraft } from './pack.ts';
import { type FieldList, safeUri, warcDate } from './record-head.ts';
import { requestQuery } from './request-query.ts';

/** On the last record of every event we write: this is how recovery tells a whole event from a partial one. */
export const EVENT_END = 'WARC-Event-End';
/** SHA-1 in addition to the SHA-256 of `WARC-Payload-Digest`: see decisions/0003-two-digests.md. */
export const PAYLOAD_SHA1 = 'WARC-Payload-Digest-SHA1';

/** Bytes of the payload that a revisit represents: its own block holds none of them. */
export const PAYLOAD_LENGTH = 'WARC-Payload-Length';

export const PROFILE_BASE = 'http://netpreserve.org/warc/1.1/revisit/';

/** A fact without its position in a file. */
export type UnplacedFact = Omit<CaptureFact, 'file' | 'offset' | 'length'>;

export interface DraftedRecord {
  readonly draft: RecordDraft;
  /** Absent for requests: they are not indexed. */
  readonly fact?: UnplacedFact;
}

/** Block digests computed earlier, by response: see `responseDigest`. */
export type KnownBlockDigests = WeakMap<object, string>;

/** The records of an event in the order they are written: request and response of each exchange, then derived. */
export async function eventRecords(event: CaptureEvent, known: KnownBlockDigests): Promise<DraftedRecord[]> {
  const records: DraftedRecord[] = [];
  let mainId: string | undefined;
  for (const stored of event.exchanges) {
    const ids = { request: recordId(), response: recordId() };
    mainId ??= ids.response;
    records.push(await requestRecord(event, stored, ids), await responseRecord(event, stored, ids, known));
  }
  for (const derived of event.derived) {
    const id = recordId();
    const digest = await digestBody(derived.body);
    const uri = safeUri(derived.uri);
    records.push({
      draft: {
        fields: [
          ['WARC-Type', derived.as ?? 'resource'],
          ['WARC-Record-ID', id],
          ['WARC-Target-URI', uri],
          ['WARC-Date', warcDate(event.at)],
          ['WARC-Page-ID', event.id],
          ['WARC-Concurrent-To', mainId],
          // The block is the payload: one digest serves both fields.
          ['WARC-Block-Digest', `sha256:${digest.sha256}`],
          ['WARC-Payload-Digest', `sha256:${digest.sha256}`],
          [PAYLOAD_SHA1, `sha1:${digest.sha1}`],
          ['Content-Type', derived.contentType],
        ],
        head: new Uint8Array(0),
        body: derived.body,
      },
      fact: {
        url: uri,
        at: event.at,
        type: derived.as ?? 'resource',
        recordId: id,
        method: 'GET',
        status: 200,
        mime: mediaType([['content-type', derived.contentType]]),
        digest,
        eventId: event.id,
      },
    });
  }
  const last = records.at(-1);
  if (last) {
    const fields: FieldList = [...last.draft.fields, [EVENT_END, 'true']];
    records[records.length - 1] = { ...last, draft: { ...last.draft, fields } };
  }
  return records;
}

function recordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

interface PairIds {
  readonly request: string;
  readonly response: string;
}

function sharedFields(event: CaptureEvent, { exchange }: ExchangeToStore): FieldList {
  return [
    ['WARC-Target-URI', safeUri(exchange.url)],
    ['WARC-Date', warcDate(exchange.startedAt)],
    ['WARC-Page-ID', event.id],
    ...exchange.protocols.map((protocol) => ['WARC-Protocol', protocol] as const),
    ['WARC-IP-Address', exchange.ip !== undefined && isIP(exchange.ip) !== 0 ? exchange.ip : undefined],
    ['WARC-Resource-Type', exchange.resourceType],
  ];
}

async function requestRecord(
  event: CaptureEvent,
  stored: ExchangeToStore,
  ids: PairIds,
): Promise<DraftedRecord> {
  const { request } = stored.exchange;
  return {
    draft: {
      fields: [
        ['WARC-Type', 'request'],
        ['WARC-Record-ID', ids.request],
        ...sharedFields(event, stored),
        ['WARC-Concurrent-To', ids.response],
        ['WARC-Block-Digest', `sha256:${await blockSha256(request.head, request.body)}`],
        ['Content-Type', 'application/http; msgtype=request'],
      ],
      head: request.head,
      body: request.body,
    },
  };
}

async function responseRecord(
  event: CaptureEvent,
  stored: ExchangeToStore,
  ids: PairIds,
  known: KnownBlockDigests,
): Promise<DraftedRecord> {
  const { exchange, revisit } = stored;
  const { response, request } = exchange;
  const body = revisit ? EMPTY_BODY : response.body;
  const original = revisit?.original;
  const digest = original
    ? {
        sha256: original.sha256,
        sha1: original.sha1,
        size: revisit?.profile === 'identical-payload-digest' ? stored.digest.size : 0,
      }
    : stored.digest;
  const block = (revisit ? undefined : known.get(response)) ?? (await blockSha256(response.head, body));
  const fields: FieldList = [
    ['WARC-Type', revisit ? 'revisit' : 'response'],
    ['WARC-Record-ID', ids.response],
    ...sharedFields(event, stored),
    ['WARC-Concurrent-To', ids.request],
    ['WARC-Profile', revisit && PROFILE_BASE + revisit.profile],
    ['WARC-Refers-To', original?.recordId],
    ['WARC-Refers-To-Target-URI', original && safeUri(original.url)],
    ['WARC-Refers-To-Date', original && warcDate(original.at)],
    ['WARC-Truncated', revisit ? undefined : exchange.truncated],
    ['WARC-Block-Digest', `sha256:${block}`],
    ['WARC-Payload-Digest', digest.sha256 !== '' ? `sha256:${digest.sha256}` : `sha1:${digest.sha1}`],
    [PAYLOAD_SHA1, digest.sha256 !== '' && digest.sha1 !== '' ? `sha1:${digest.sha1}` : undefined],
    [PAYLOAD_LENGTH, revisit && digest.size > 0 ? String(digest.size) : undefined],
    ['Content-Type', 'application/http; msgtype=response'],
  ];
  const query = requestQuery(request.method, request.headers, request.body.bytes ?? new Uint8Array(0));
  return {
    draft: { fields, head: response.head, body },
    fact: {
      url: safeUri(exchange.url),
      at: exchange.startedAt,
      type: revisit ? 'revisit' : 'response',
      recordId: ids.response,
      method: request.method,
      status: response.status,
      mime: mediaType(response.headers),
      digest,
      eventId: event.id,
      ...(!revisit && exchange.truncated ? { truncated: exchange.truncated } : {}),
      ...(revisit
        ? {
            refersTo: {
              url: safeUri(revisit.original.url),
              at: revisit.original.at,
              profile: revisit.profile,
            },
          }
        : {}),
      ...validators(response.headers),
      ...(query === '' ? {} : { requestBody: query }),
    },
  };
}

export function validators(headers: HeaderList): { etag?: string; lastModified?: string } {
  const etag = header(headers, 'etag');
  const lastModified = header(headers, 'last-modified');
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}
