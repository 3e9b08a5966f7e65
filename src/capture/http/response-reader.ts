import { type HeaderList, header } from '../../model/exchange.ts';
import { parseHttpHead } from '../../model/http-message.ts';
import { BodyFraming } from './body-framing.ts';
import { HeadBuffer } from './head-buffer.ts';

/** Bytes of one header block, interim ones included. */
export const HEAD_LIMIT = 256 * 1024;

export interface ResponseHead {
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly headers: HeaderList;
  /** `http/1.1`, as WARC-Protocol spells it. */
  readonly protocol: string;
  /** The server keeps the connection open for another request. */
  readonly keepAlive: boolean;
  readonly body: BodyFraming;
}

export type ReaderState = 'head' | 'body' | 'done' | 'garbage' | 'head-too-large';

/**
 * Reads one response off the wire: interim (1xx) heads are skipped, the final head is kept verbatim, and the
 * body's bytes go verbatim to `onBody`.
 */
export class ResponseReader {
  state: ReaderState = 'head';
  head: ResponseHead | undefined;
  /** Some byte has arrived: the server has seen the request. */
  started = false;
  /** Bytes came after the end of the message: the connection cannot be trusted with another request. */
  excess = false;
  private readonly buffer = new HeadBuffer();
  /** Interim heads count towards the limit, or a server could send them for ever. */
  private interimSize = 0;
  private readonly onBody: (part: Uint8Array) => void;

  constructor(onBody: (part: Uint8Array) => void) {
    this.onBody = onBody;
  }

  feed(piece: Buffer): void {
    this.started = true;
    if (this.state === 'body') this.feedBody(piece);
    else if (this.state === 'head') this.feedHead(piece);
    else this.excess = true;
  }

  /** What was received of a head that was never completed. */
  received(): Buffer {
    return this.buffer.peek();
  }

  private feedHead(piece: Buffer): void {
    this.buffer.add(piece);
    for (;;) {
      if (!startsLikeHttp(this.buffer.peek())) {
        this.state = 'garbage';
        return;
      }
      const bytes = this.buffer.next();
      if (this.interimSize + (bytes?.length ?? this.buffer.size) > HEAD_LIMIT) this.state = 'head-too-large';
      if (bytes === undefined || this.state !== 'head') return;
      const head = responseHead(bytes);
      if (head === undefined) {
        this.state = 'garbage';
        return;
      }
      if (head.status >= 200 || head.status === 101) {
        this.head = head;
        break;
      }
      this.interimSize += bytes.length;
    }
    this.state = 'body';
    this.feedBody(this.buffer.rest());
  }

  private feedBody(piece: Buffer): void {
    const framing = this.head?.body;
    if (framing === undefined) return;
    const mine = framing.take(piece);
    if (mine > 0) this.onBody(mine === piece.length ? piece : piece.subarray(0, mine));
    if (mine < piece.length) this.excess = true;
    if (framing.done) this.state = 'done';
  }
}

function responseHead(bytes: Buffer): ResponseHead | undefined {
  const parsed = parseHttpHead(bytes);
  if (parsed?.kind !== 'response') return undefined;
  const { status, headers } = parsed;
  const isOld = bytes.toString('latin1', 0, 8) === 'HTTP/1.0';
  const connection = header(headers, 'connection')?.toLowerCase() ?? '';
  return {
    bytes,
    status,
    headers,
    protocol: isOld ? 'http/1.0' : 'http/1.1',
    keepAlive: isOld ? connection.includes('keep-alive') : !connection.includes('close'),
    body: BodyFraming.ofResponse(status, headers),
  };
}

const HTTP = Buffer.from('HTTP');

/** Whether the bytes may still become a status line; line ends before it are tolerated. */
function startsLikeHttp(bytes: Buffer): boolean {
  let from = 0;
  while (from < bytes.length && from < 8 && (bytes[from] === 13 || bytes[from] === 10)) from++;
  const length = Math.min(HTTP.length, bytes.length - from);
  return length <= 0 || bytes.compare(HTTP, 0, length, from, from + length) === 0;
}
