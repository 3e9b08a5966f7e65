import type { HeaderList } from './exchange.ts';

/**
 * HTTP/1 messages as bytes. What servers send and older archives hold is not always what RFC 9112 asks for, so
 * the parser is tolerant: lines may end in LF alone, header lines without a colon are skipped, folded
 * lines are joined, and chunked bodies may break off or not be chunked at all.
 */
export interface HttpHead {
  readonly kind: 'response' | 'request';
  /** Response status; 0 for requests. */
  readonly status: number;
  readonly statusText: string;
  /** Request method and target; '' for responses. */
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  /** Bytes up to and including the empty line; interim (1xx) responses before it count too. */
  readonly headLength: number;
}

const LF = 10;
const CR = 13;
const latin1 = new TextDecoder('latin1');

/** Offset after the empty line that ends the head; -1 when there is none. */
function headEnd(bytes: Uint8Array, from: number): number {
  let lineStart = from;
  for (;;) {
    const lf = bytes.indexOf(LF, lineStart);
    if (lf < 0) return -1;
    const isEmpty = lf === lineStart || (lf === lineStart + 1 && bytes[lineStart] === CR);
    if (isEmpty) return lf + 1;
    lineStart = lf + 1;
  }
}

/**
 * Parses the head of a request or response. A head that is cut off before its empty line is taken as far as
 * it goes. Undefined when the first line is neither a status line nor a request line.
 */
export function parseHttpHead(bytes: Uint8Array): HttpHead | undefined {
  let from = 0;
  for (;;) {
    const end = headEnd(bytes, from);
    const head = parseOne(bytes, from, end < 0 ? bytes.length : end);
    const isInterim =
      head?.kind === 'response' && head.status >= 100 && head.status < 200 && head.status !== 101;
    if (!head || !isInterim || end < 0 || end >= bytes.length) return head;
    if (!startsLikeHttp(bytes, end)) return head;
    from = end;
  }
}

function startsLikeHttp(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x48 && bytes[at + 1] === 0x54 && bytes[at + 2] === 0x54 && bytes[at + 3] === 0x50;
}

const STATUS_LINE = /^HTTP(?:\/\d+(?:\.\d+)?)?\s+(\d{3})(?:\s+(.*))?$/i;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s+(.+?)(?:\s+HTTP\/\d+(?:\.\d+)?)?$/;

function parseOne(bytes: Uint8Array, from: number, to: number): HttpHead | undefined {
  const [first = '', ...rest] = latin1.decode(bytes.subarray(from, to)).split('\n').map(withoutCr);
  const headers = headerLines(rest);
  const status = STATUS_LINE.exec(first.trimEnd());
  const common = { headers, headLength: to };
  if (status) {
    const [, code = '0', text = ''] = status;
    return { kind: 'response', status: Number(code), statusText: text, method: '', target: '', ...common };
  }
  const request = REQUEST_LINE.exec(first.trimEnd());
  if (!request) return undefined;
  const [, method = '', target = ''] = request;
  return { kind: 'request', status: 0, statusText: '', method, target, ...common };
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Name and value of each `Name: value` line; obs-fold joined with one space, lines without a name dropped. */
export function headerLines(lines: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    if ((line.startsWith(' ') || line.startsWith('\t')) && last) {
      const more = line.trim();
      if (more !== '') last[1] = last[1] === '' ? more : `${last[1]} ${more}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim();
    if (name !== '') headers.push([name, line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** Whether the last transfer coding is `chunked`. */
export function isChunked(headers: HeaderList): boolean {
  let last = '';
  for (const [name, value] of headers) if (name.toLowerCase() === 'transfer-encoding') last = value;
  return last.split(',').at(-1)?.trim().toLowerCase() === 'chunked';
}

export interface Dechunked {
  readonly bytes: Uint8Array;
  /** False when the chunking broke off or was not there at all; `bytes` is then what could be read. */
  readonly wellFormed: boolean;
}

/** Joins the chunks of a whole body. A body whose first line is not a chunk size is returned as is. */
export function dechunk(body: Uint8Array): Dechunked {
  const parts: Uint8Array[] = [];
  const decoder = new ChunkDecoder((part) => parts.push(part));
  decoder.push(body);
  const wellFormed = decoder.end();
  const [only] = parts;
  if (parts.length === 1 && only) return { bytes: only, wellFormed };
  let size = 0;
  for (const part of parts) size += part.length;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, wellFormed };
}

/** The streaming form; returns whether the chunking was well formed. */
export async function* dechunkStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, boolean> {
  let parts: Uint8Array[] = [];
  const decoder = new ChunkDecoder((part) => parts.push(part));
  for await (const chunk of source) {
    decoder.push(chunk);
    yield* parts;
    parts = [];
  }
  const wellFormed = decoder.end();
  yield* parts;
  return wellFormed;
}

/** Longest line accepted as a size line: 16 hex digits and an extension. */
const MAX_SIZE_LINE = 256;

/**
 * size line → data → line end → size line … → trailer → done. Anything unexpected leads to `raw`, in which
 * the bytes pass through unchanged: the archive keeps what was sent, and records that it was not well formed.
 */
class ChunkDecoder {
  private state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' | 'raw' = 'size';
  private left = 0;
  private line: number[] = [];
  private broken = false;
  private readonly emit: (part: Uint8Array) => void;

  constructor(emit: (part: Uint8Array) => void) {
    this.emit = emit;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.state === 'data') {
        const take = Math.min(this.left, bytes.length - at);
        this.emit(bytes.subarray(at, at + take));
        this.left -= take;
        at += take;
        if (this.left === 0) this.state = 'data-end';
      } else if (this.state === 'raw') {
        this.emit(bytes.subarray(at));
        return;
      } else if (this.state === 'done') {
        // Bytes after the last chunk belong to no body.
        this.broken = true;
        return;
      } else {
        const byte = bytes[at] as number;
        at++;
        // Of a trailer line only whether it is empty matters: the server may make it as long as it likes.
        if (this.state !== 'trailer' || this.line.length < MAX_SIZE_LINE) this.line.push(byte);
        if (byte === LF) this.lineDone();
        else if (this.state !== 'trailer' && this.line.length > this.lineLimit()) this.giveUp();
      }
    }
  }

  /** True when the body ended with its last chunk (the empty line after it may be missing). */
  end(): boolean {
    if (this.state === 'size' && this.line.length > 0) this.giveUp();
    const complete = this.state === 'done' || (this.state === 'trailer' && this.line.length === 0);
    return complete && !this.broken;
  }

  private lineLimit(): number {
    return this.state === 'data-end' ? 2 : MAX_SIZE_LINE;
  }

  private lineDone(): void {
    const text = String.fromCharCode(...this.line).trim();
    if (this.state === 'trailer') {
      if (text === '') this.state = 'done';
      this.line = [];
    } else if (this.state === 'data-end') {
      if (text !== '') this.giveUp();
      else {
        this.line = [];
        this.state = 'size';
      }
    } else {
      const size = /^([0-9a-f]{1,13})\s*(?:;.*)?$/i.exec(text);
      if (!size) {
        this.giveUp();
        return;
      }
      this.left = Number.parseInt(size[1] as string, 16);
      this.line = [];
      this.state = this.left === 0 ? 'trailer' : 'data';
    }
  }

  private giveUp(): void {
    this.broken = true;
    this.state = 'raw';
    if (this.line.length > 0) this.emit(Uint8Array.from(this.line));
    this.line = [];
  }
}
