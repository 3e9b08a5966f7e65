import { buffer } from 'node:stream/consumers';
import { type Body, EMPTY_BODY, memoryBody } from '../model/body.ts';
import type { HeaderList } from '../model/exchange.ts';
import { header } from '../model/exchange.ts';
import { dechunk, dechunkStream, type HttpHead, isChunked, parseHttpHead } from '../model/http-message.ts';
import type { Millis } from '../model/time.ts';
import type { StoredRecord } from '../ports/record-store.ts';
import { parseWarcDate } from './warc-date.ts';

/** A record read back, with its position and its block as stored. */
export interface WarcRecord extends StoredRecord {
  /** `WARC/1.1`, `WARC/1.0`, `ARC/1`, `ARC/2`. */
  readonly version: string;
  /** Path as it was opened. */
  readonly file: string;
  readonly offset: number;
  /** Bytes on disk: of the gzip member, or of the plain record including the empty lines after it. */
  readonly length: number;
  /** Record-ID including its angle brackets; '' if it has none (ARC). */
  readonly id: string;
  /** Target URI without the angle brackets some tools put around it. */
  readonly url: string;
  /** NaN if the date cannot be read. */
  readonly at: Millis;
  /** What is wrong with the WARC-Date, and what was used instead. */
  readonly dateFault?: string;
  readonly block: Body;
  readonly httpHead: HttpHead | undefined;
  /** False if the body claims to be chunked but is not, or breaks off. */
  readonly wellFormed: boolean;
  /** Set if records share one gzip member: none of them can be read by its position. */
  readonly shared: boolean;
}

export interface RecordParts {
  readonly version: string;
  readonly fields: HeaderList;
  readonly block: Body;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly shared?: boolean;
}

/** First bytes read of a block that is not in memory: heads are shorter. */
const HEAD_BYTES = 256 * 1024;

export async function makeRecord(parts: RecordParts): Promise<WarcRecord> {
  const { block, fields } = parts;
  const type = (header(fields, 'warc-type') ?? '').toLowerCase();
  const start = holdsHttp(type, fields)
    ? (block.bytes ?? (await buffer(skip(block.chunks(), 0, HEAD_BYTES))))
    : undefined;
  const httpHead = start && parseHttpHead(start);
  const head = httpHead && start ? start.subarray(0, httpHead.headLength) : undefined;
  const { payload, wellFormed } = await payloadOf(block, httpHead);
  return {
    ...parts,
    shared: parts.shared ?? false,
    type,
    id: header(fields, 'warc-record-id') ?? '',
    url: (header(fields, 'warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'),
    ...dateOf(fields, httpHead),
    httpHead,
    ...(httpHead && head ? { http: { status: httpHead.status, headers: httpHead.headers, head } } : {}),
    payload,
    wellFormed,
  };
}

/** The server's clock replaces an invalid date: it ran when the answer was sent. */
function dateOf(fields: HeaderList, head: HttpHead | undefined): Pick<WarcRecord, 'at' | 'dateFault'> {
  const text = header(fields, 'warc-date') ?? '';
  const { at, isStandard } = parseWarcDate(text);
  if (isStandard) return { at };
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const read = (time: Millis): string => new Date(time).toISOString();
  if (!Number.isNaN(at)) return { at, dateFault: `WARC-Date is '${shown}', read as ${read(at)}` };
  const said = head?.kind === 'response' ? parseWarcDate(header(head.headers, 'date') ?? '').at : Number.NaN;
  if (Number.isNaN(said)) return { at, dateFault: `WARC-Date is '${shown}', which cannot be read` };
  return { at: said, dateFault: `WARC-Date is '${shown}'; the time is the server's Date, ${read(said)}` };
}

function holdsHttp(type: string, fields: HeaderList): boolean {
  if (type !== 'response' && type !== 'request' && type !== 'revisit') return false;
  const contentType = header(fields, 'content-type');
  // Absent in some revisits; `text/dns` and others hold no HTTP message.
  return contentType === undefined || contentType.toLowerCase().startsWith('application/http');
}

async function payloadOf(
  block: Body,
  head: HttpHead | undefined,
): Promise<{ payload: Body; wellFormed: boolean }> {
  if (!head) return { payload: block, wellFormed: true };
  const from = head.headLength;
  const chunked = isChunked(head.headers);
  if (from >= block.size) return { payload: EMPTY_BODY, wellFormed: true };
  const raw = bodyFrom(block, from);
  if (!chunked) return { payload: raw, wellFormed: true };
  if (raw.bytes) {
    const { bytes, wellFormed } = dechunk(raw.bytes);
    return { payload: memoryBody(bytes), wellFormed };
  }
  // The size of a chunked body is known only once it has been read.
  const once = dechunkStream(raw.chunks());
  let size = 0;
  for (;;) {
    const next = await once.next();
    if (next.done)
      return { payload: streamBody(size, () => dechunkStream(raw.chunks())), wellFormed: next.value };
    size += next.value.length;
  }
}

/** A body that is read from its record each time: large payloads need neither memory nor a spool file. */
export function streamBody(size: number, chunks: () => AsyncIterable<Uint8Array>): Body {
  return { size, bytes: undefined, chunks, release: async () => {} };
}

/** Everything after the first `from` bytes. */
export function bodyFrom(body: Body, from: number): Body {
  return body.bytes
    ? memoryBody(body.bytes.subarray(from))
    : streamBody(body.size - from, () => skip(body.chunks(), from));
}

export async function* skip(
  source: AsyncIterable<Uint8Array>,
  count: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  let left = limit;
  for await (const chunk of source) {
    if (left <= 0) return;
    if (count >= chunk.length) {
      count -= chunk.length;
      continue;
    }
    const part = chunk.subarray(count, Math.min(chunk.length, count + left));
    count = 0;
    left -= part.length;
    if (part.length > 0) yield part;
  }
}
