import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { HeaderList, ResponseMessage } from '../../model/exchange.ts';
import { dechunk, dechunkStream } from '../../model/http-message.ts';

export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** False if the limit cut it, or the body was cut or damaged on the way: `bytes` is what could be decoded. */
  readonly complete: boolean;
  /** The content coding could not be fully undone. */
  readonly damaged: boolean;
}

/** The parts of an answer needed to undo its codings. */
type CodedBody = Pick<ResponseMessage, 'headers' | 'body' | 'framing'>;

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Decoding a small body in one call costs less than a stream's ticks; a larger one would hold up the others. */
const AT_ONCE = 256 * 1024;
/** Pieces of output (16 KB each) that may queue for the reader. */
const QUEUE_LENGTH = 16;
/** The largest `maxOutputLength` that zlib accepts on every platform. */
const MAX_OUTPUT = 2 ** 30;

/**
 * The payload as its author wrote it: transfer and content codings removed, never more than `limit` bytes.
 * Nothing the server sent makes it throw: damaged input yields what came before the damage.
 */
export async function decodedBytes(response: CodedBody, limit: number): Promise<DecodedBody> {
  const codings = contentCodings(response.headers);
  const { bytes } = response.body;
  if (codings === 'unknown') {
    const raw = await capped(payload(response), limit);
    return { bytes: raw.bytes, complete: false, damaged: true };
  }
  if (bytes !== undefined && bytes.byteLength <= AT_ONCE) {
    const decoded = await atOnce(bytes, response.framing === 'chunked', codings, limit);
    if (decoded) return decoded;
  }
  const decoded = await throughStreams(response, codings, limit);
  if (decoded.bytes.byteLength > 0 || codings.length === 0) return decoded;
  // Some servers label as gzip what they never compressed. Then the bytes themselves are the text.
  const raw = await capped(payload(response), limit);
  const isEmpty = raw.bytes.byteLength === 0;
  return { bytes: raw.bytes, complete: isEmpty && decoded.complete, damaged: !isEmpty };
}

/** Undefined if it cannot be decoded whole: the streams then get as far as they can. */
async function atOnce(
  body: Uint8Array,
  isChunked: boolean,
  codings: readonly Coding[],
  limit: number,
): Promise<DecodedBody | undefined> {
  let bytes = body;
  let complete = true;
  if (isChunked) ({ bytes, wellFormed: complete } = dechunk(body));
  for (const coding of codings) {
    if (bytes.byteLength === 0) break;
    // An unfinished stream is an error here (finishFlush keeps its default), so the result is whole or nothing.
    const decode = wholeDecoder(coding, bytes);
    try {
      bytes = await decode(bytes, { maxOutputLength: Math.min(Math.max(1, limit), MAX_OUTPUT) });
    } catch {
      return undefined;
    }
  }
  const isWhole = bytes.byteLength <= limit;
  return { bytes: isWhole ? bytes : bytes.subarray(0, limit), complete: complete && isWhole, damaged: false };
}

async function throughStreams(
  response: CodedBody,
  codings: readonly Coding[],
  limit: number,
): Promise<DecodedBody> {
  let isFramed = true;
  let damaged = false;
  let source: AsyncIterable<Uint8Array> = payload(response, () => {
    isFramed = false;
  });
  const onDamage = (): void => {
    damaged = true;
  };
  for (const coding of codings) source = decodeStream(source, coding, onDamage);
  const result = await capped(source, limit);
  return { bytes: result.bytes, complete: isFramed && !damaged && result.complete, damaged };
}

/** The body with its transfer coding removed. */
async function* payload(response: CodedBody, damaged?: () => void): AsyncGenerator<Uint8Array> {
  if (response.framing !== 'chunked') yield* response.body.chunks();
  else if (!(yield* dechunkStream(response.body.chunks()))) damaged?.();
}

/**
 * Output is taken by event, not by async iteration: a stream that fails drops what it still holds for an
 * iterator, and the page up to the damage is wanted.
 */
async function* decodeStream(
  source: AsyncIterable<Uint8Array>,
  coding: Coding,
  damaged: () => void,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const stream = streamDecoder(coding, first.value);
  const queue: Uint8Array[] = [];
  let isOver = false;
  let wake = (): void => {};
  const over = (): void => {
    isOver = true;
    wake();
  };
  stream.on('data', (part: Uint8Array) => {
    queue.push(part);
    if (queue.length >= QUEUE_LENGTH) stream.pause();
    wake();
  });
  stream.on('error', damaged).on('end', over).on('close', over);

  const pump = async (): Promise<void> => {
    let piece: IteratorResult<Uint8Array> = first;
    while (!piece.done && !isOver) {
      if (!stream.write(piece.value)) await writable(stream);
      piece = await iterator.next();
    }
    if (!isOver) stream.end();
  };
  const pumped = pump().then(
    () => undefined,
    (error: Error) => {
      stream.destroy();
      return error;
    },
  );
  let failure: Error | undefined;
  try {
    for (;;) {
      const part = queue.shift();
      if (part !== undefined) yield part;
      else if (isOver) break;
      else {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        stream.resume();
        await woken;
      }
    }
  } finally {
    isOver = true;
    stream.destroy();
    failure = await pumped;
    await iterator.return?.(undefined);
  }
  // The source's own failure (a missing spool file) is not damage of the coding.
  if (failure !== undefined) throw failure;
}

function writable(stream: Transform): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    if (stream.destroyed) resolve();
    else stream.once('drain', done).once('close', done);
  });
}

async function capped(
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Omit<DecodedBody, 'damaged'>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    if (size + part.byteLength > limit) {
      parts.push(part.subarray(0, limit - size));
      return { bytes: Buffer.concat(parts), complete: false };
    }
    parts.push(part);
    size += part.byteLength;
  }
  const [only] = parts;
  return { bytes: parts.length === 1 && only ? only : Buffer.concat(parts), complete: true };
}

/** Codings in the order in which they must be undone. */
function contentCodings(headers: HeaderList): readonly Coding[] | 'unknown' {
  const codings: Coding[] = [];
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'content-encoding') continue;
    for (const part of value.split(',')) {
      const token = part.trim().toLowerCase();
      if (token === 'gzip' || token === 'x-gzip') codings.push('gzip');
      else if (token === 'deflate' || token === 'br') codings.push(token);
      else if (token === 'zstd' && 'createZstdDecompress' in zlib) codings.push(token);
      else if (!NO_CODING.has(token)) return 'unknown';
    }
  }
  return codings.reverse();
}

/** Values seen in the wild where no coding was applied. */
const NO_CODING = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary', '8bit', '7bit', 'text']);

type WholeDecoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
/** Node 22 has it, Node 20 does not, and our types are those of 20. */
type Zstd = { createZstdDecompress(): Transform; zstdDecompress: typeof zlib.gunzip };

const whole = {
  gzip: promisify(zlib.gunzip) as WholeDecoder,
  inflate: promisify(zlib.inflate) as WholeDecoder,
  inflateRaw: promisify(zlib.inflateRaw) as WholeDecoder,
  br: promisify(zlib.brotliDecompress) as WholeDecoder,
};

function wholeDecoder(coding: Coding, bytes: Uint8Array): WholeDecoder {
  if (coding === 'gzip') return whole.gzip;
  if (coding === 'br') return whole.br;
  if (coding === 'zstd') return promisify((zlib as unknown as Zstd).zstdDecompress) as WholeDecoder;
  return hasZlibHeader(bytes) ? whole.inflate : whole.inflateRaw;
}

function streamDecoder(coding: Coding, first: Uint8Array): Transform {
  if (coding === 'gzip') return zlib.createGunzip();
  if (coding === 'br') return zlib.createBrotliDecompress();
  if (coding === 'zstd') return (zlib as unknown as Zstd).createZstdDecompress();
  return hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw();
}

/** RFC 1950 §2.2. "deflate" means zlib by the RFC, but bare deflate to some servers. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
