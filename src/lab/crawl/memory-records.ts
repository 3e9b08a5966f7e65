import { hash } from 'node:crypto';
import { EMPTY_BODY } from '../../model/body.ts';
import type { CaptureEvent, CaptureFact, ExchangeToStore, PayloadDigest } from '../../model/capture.ts';
import { header, mediaType, type ResponseMessage } from '../../model/exchange.ts';
import {
  DamagedRecord,
  type RecordReader,
  type RecordStore,
  type StoredRecord,
} from '../../ports/record-store.ts';

/** Name of the file that these records pretend to be in. */
const FILE = 'memory.warc';

export interface MemoryRecords {
  readonly store: RecordStore;
  readonly reader: RecordReader;
}

/**
 * Answers for the lifetime of the process, by position, without the bytes of a WARC file around them. Derived records are
 * counted and dropped: no crawl reads them back.
 */
export function memoryRecords(newId: () => string): MemoryRecords {
  const records: (StoredRecord | undefined)[] = [];
  const digests = new WeakMap<ResponseMessage, PayloadDigest>();

  async function digest(response: ResponseMessage): Promise<PayloadDigest> {
    const known = digests.get(response);
    if (known) return known;
    const bytes = response.body.bytes ?? new Uint8Array(0);
    // SHA-1 is for other tools: none of them reads these.
    const made = { sha256: hash('sha256', bytes, 'hex'), sha1: '', size: bytes.byteLength };
    digests.set(response, made);
    return made;
  }

  function keep(record: StoredRecord | undefined): { file: string; offset: number; length: number } {
    records.push(record);
    return { file: FILE, offset: records.length - 1, length: 1 };
  }

  function keepExchange({ id }: CaptureEvent, { exchange, digest, revisit }: ExchangeToStore): CaptureFact {
    const { status, headers, head, body } = exchange.response;
    const original = revisit?.original;
    const type = revisit ? 'revisit' : 'response';
    const etag = header(headers, 'etag');
    return {
      ...keep({ type, fields: [], http: { status, headers, head }, payload: revisit ? EMPTY_BODY : body }),
      url: exchange.url,
      at: exchange.startedAt,
      type,
      recordId: `<urn:uuid:${newId()}>`,
      method: 'GET',
      status,
      mime: mediaType(headers),
      digest: original ? { sha256: original.sha256, sha1: '', size: digest.size } : digest,
      eventId: id,
      ...(revisit && {
        refersTo: { url: revisit.original.url, at: revisit.original.at, profile: revisit.profile },
      }),
      ...(etag !== undefined && { etag }),
    };
  }

  return {
    store: {
      digest,
      async append(event) {
        const facts = event.exchanges.map((exchange) => keepExchange(event, exchange));
        for (const { uri, contentType, body, as: type = 'resource' } of event.derived) {
          facts.push({
            ...keep(undefined),
            url: uri,
            at: event.at,
            type,
            recordId: `<urn:uuid:${newId()}>`,
            method: 'GET',
            status: 200,
            mime: contentType,
            // Derived records are never looked up by payload.
            digest: { sha256: '', sha1: '', size: body.size },
            eventId: event.id,
          });
        }
        return facts;
      },
      sync: async () => {},
      lengths: () => new Map([[FILE, records.length]]),
      close: async () => {},
    },
    reader: {
      async read(position) {
        const record = records[position.offset];
        if (!record) throw new DamagedRecord(position, 'no such answer is kept');
        return record;
      },
      close: async () => {},
    },
  };
}
