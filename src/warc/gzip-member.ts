import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { FileWindow } from './file-window.ts';
import { fileChunks } from './file-window.ts';

/**
 * One gzip member at a known offset. Node's gunzip joins members and does not say where one ends, so the
 * deflate stream inside is inflated raw: the engine then reports how many bytes it consumed. Checksum and
 * size in the member's trailer are checked here.
 */
export type Member =
  | { readonly kind: 'whole'; readonly length: number; readonly bytes: Buffer }
  /** More than the memory limit: read it with `memberChunks`. */
  | { readonly kind: 'large'; readonly length: number; readonly size: number }
  /** The file ends inside it. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Members that inflate to more than this are streamed, never held in memory. */
export const MEMORY_LIMIT = 8 << 20;

const TRAILER = 8;

/** Bytes of the gzip header; 0 if it is not one; undefined if more bytes are needed to tell. */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 10) return undefined;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return 0;
  const flags = bytes[3] as number;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < 12) return undefined;
    at += 2 + bytes.readUInt16LE(10);
  }
  // Original file name, comment: each ends with a zero byte.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return undefined;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at < bytes.length ? at : undefined;
}

export async function readMember(file: FileWindow, offset: number): Promise<Member> {
  // Grown if a member does not fit: 256 KB, 1, 4, 16 MB of compressed bytes.
  for (let ask = 256 * 1024; ; ask *= 4) {
    const bytes = await file.at(offset, ask);
    const atEnd = offset + bytes.length >= file.size;
    const head = headerLength(bytes);
    if (head === 0) return { kind: 'damaged', reason: 'not a gzip member' };
    if (head !== undefined) {
      const result = inflateWhole(bytes, head);
      if (result === 'large') return readLarge(file, offset, head);
      if (result !== 'short') return result;
    }
    if (atEnd) return { kind: 'partial' };
    if (ask >= 16 << 20) {
      if (head === undefined) return { kind: 'damaged', reason: 'gzip header without an end' };
      return readLarge(file, offset, head);
    }
  }
}

interface InflateInfo {
  readonly buffer: Buffer;
  readonly engine: InflateRaw;
}

function inflateWhole(bytes: Buffer, head: number): Member | 'large' | 'short' {
  let info: InflateInfo;
  try {
    info = inflateRawSync(bytes.subarray(head), {
      info: true,
      maxOutputLength: MEMORY_LIMIT,
      chunkSize: 64 * 1024,
    }) as unknown as InflateInfo;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') return 'short';
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'large';
    return { kind: 'damaged', reason: `gzip: ${message}` };
  }
  const trailer = head + info.engine.bytesWritten;
  if (trailer + TRAILER > bytes.length) return 'short';
  const reason = trailerFault(bytes, trailer, crc32(info.buffer), info.buffer.length);
  return reason
    ? { kind: 'damaged', reason }
    : { kind: 'whole', length: trailer + TRAILER, bytes: info.buffer };
}

function trailerFault(bytes: Buffer, at: number, crc: number, size: number): string | undefined {
  if (bytes.readUInt32LE(at) !== crc) return 'gzip: the checksum does not fit the content';
  if (bytes.readUInt32LE(at + 4) !== size >>> 0) return 'gzip: the size does not fit the content';
  return undefined;
}

async function readLarge(file: FileWindow, offset: number, head: number): Promise<Member> {
  let crc = 0;
  let size = 0;
  const taken = { bytes: 0 };
  try {
    for await (const chunk of inflateFrom(file.path, offset + head, file.size, taken)) {
      crc = crc32(chunk, crc);
      size += chunk.length;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'Z_BUF_ERROR' ? { kind: 'partial' } : { kind: 'damaged', reason: `gzip: ${message}` };
  }
  const trailer = offset + head + taken.bytes;
  if (trailer + TRAILER > file.size) return { kind: 'partial' };
  const reason = trailerFault(await file.at(trailer, TRAILER), 0, crc, size);
  return reason ? { kind: 'damaged', reason } : { kind: 'large', length: head + taken.bytes + TRAILER, size };
}

async function* inflateFrom(
  path: string,
  from: number,
  to: number,
  taken: { bytes: number },
): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 64 * 1024 });
  const source = Readable.from(fileChunks(path, from, to - from), { objectMode: false });
  source.on('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
    taken.bytes = inflate.bytesWritten;
  } finally {
    source.unpipe(inflate);
    source.destroy();
    inflate.destroy();
  }
}

/** The content of a member, streamed. */
export async function* memberChunks(path: string, offset: number, length: number): AsyncGenerator<Buffer> {
  const head = headerLength(await buffer(fileChunks(path, offset, Math.min(length, 64 * 1024))));
  if (!head) throw new Error(`${path} at ${offset}: not a gzip member`);
  yield* inflateFrom(path, offset + head, offset + length, { bytes: 0 });
}

/** The first bytes of a member's content; empty if there is no member at `bytes`. */
export function peekMember(bytes: Buffer): Buffer {
  const head = headerLength(bytes);
  if (!head) return Buffer.alloc(0);
  try {
    return inflateRawSync(bytes.subarray(head, head + 4096), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 16 << 20,
    });
  } catch {
    return Buffer.alloc(0);
  }
}
