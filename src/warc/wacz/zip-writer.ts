import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import type { Millis } from '../../model/time.ts';
import { isFullDisk, StorageFull } from '../../ports/record-store.ts';
import { insteadOf, named } from '../../ports/system-error.ts';
import { readFully, writeFully } from '../file-window.ts';
import {
  centralHeader,
  DEFLATED,
  dosTime,
  type EntryFacts,
  endRecord,
  localHeader,
  STORED,
  ZIP64_FROM,
  ZIP64_LOCAL_EXTRA,
} from './zip-format.ts';

/**
 * Writes a ZIP to `<path>.part` and renames it once it is whole. Each byte of content is read once: hashed,
 * CRC'd and written in the same pass; the local header is then patched in place with the results, so no data
 * descriptors are needed and readers that walk the file front to back can read it too.
 *
 * Written by hand for a measured reason: see decisions/0010-wacz.md.
 */
export interface ZipWriter {
  /** Content of unknown length. */
  add(name: string, content: AsyncIterable<Uint8Array>, method: 'store' | 'deflate'): Promise<AddedEntry>;
  /** The first `length` bytes of a file, stored. */
  addFile(name: string, path: string, length: number): Promise<AddedEntry>;
  finish(): Promise<{ readonly bytes: number }>;
  /** Removes what was written. Harmless after `finish`. */
  abort(): Promise<void>;
}

export interface AddedEntry {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex, of the content before deflation. */
  readonly sha256: string;
}

/** Bytes read or written at once. */
const CHUNK = 1024 * 1024;

/** `zip64From`: entries of this many bytes or more get 64-bit sizes; tests lower it. */
export async function createZip(path: string, at: Millis, zip64From = ZIP64_FROM): Promise<ZipWriter> {
  const partial = `${path}.part`;
  const handle = await insteadOf(path, open(partial, 'w+'));
  const stamp = dosTime(at);
  const done: EntryFacts[] = [];
  let end = 0;
  let closed = false;

  async function write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      await writeFully(handle, bytes, position);
    } catch (cause) {
      throw isFullDisk(cause) ? new StorageFull(path, cause) : named(path, cause);
    }
  }

  /** Runs `body` between writing the header of an entry and patching it; `body` appends at `end`. */
  async function entry(
    name: string,
    method: EntryFacts['method'],
    expected: number,
    body: () => Promise<{ size: number; crc: number; sha256: string }>,
  ): Promise<AddedEntry> {
    const offset = end;
    const zip64 = expected >= zip64From;
    const blank: EntryFacts = { name, method, crc32: 0, size: 0, compressedSize: 0, offset, zip64 };
    const header = localHeader(blank, stamp);
    await append(header);
    const start = end;
    const { size, crc, sha256 } = await body();
    const compressedSize = end - start;
    const outgrown = !zip64 && Math.max(size, compressedSize) >= zip64From;
    if (outgrown) await moveUp(start, ZIP64_LOCAL_EXTRA);
    const facts = { ...blank, crc32: crc, size, compressedSize, zip64: zip64 || outgrown };
    await write(localHeader(facts, stamp), offset);
    done.push(facts);
    return { name, bytes: size, sha256 };
  }

  /**
   * Moves everything from `start` on towards the end, last bytes first. Only for streamed content that turned
   * out larger than 4 GiB: reserving room in every header instead would mislead viewers (see
   * EntryFacts.zip64).
   */
  async function moveUp(start: number, by: number): Promise<void> {
    for (let to = end; to > start; ) {
      const from = Math.max(start, to - CHUNK);
      const piece = await readFully(handle, from, to - from);
      if (piece.length < to - from) throw new Error(`${partial} was cut short by another program`);
      await write(piece, from + by);
      to = from;
    }
    end += by;
  }

  async function append(bytes: Uint8Array): Promise<void> {
    await write(bytes, end);
    end += bytes.byteLength;
  }

  return {
    add(name, content, method) {
      return entry(name, method === 'store' ? STORED : DEFLATED, 0, async () => {
        const hash = createHash('sha256');
        let size = 0;
        let crc = 0;
        async function* watched(): AsyncGenerator<Uint8Array> {
          for await (const chunk of content) {
            hash.update(chunk);
            crc = crc32(chunk, crc);
            size += chunk.byteLength;
            yield chunk;
          }
        }
        if (method === 'store') {
          for await (const chunk of watched()) await append(chunk);
        } else {
          const deflate = createDeflateRaw({ level: constants.Z_DEFAULT_COMPRESSION, chunkSize: 64 * 1024 });
          const source = Readable.from(watched(), { objectMode: true, highWaterMark: 2 });
          source.on('error', (cause) => deflate.destroy(cause));
          for await (const chunk of source.pipe(deflate)) await append(chunk as Buffer);
        }
        return { size, crc, sha256: hash.digest('hex') };
      });
    },

    addFile(name, path, length) {
      return entry(name, STORED, length, async () => {
        const source = await open(path, 'r');
        try {
          return await copyFrom(source, path, length);
        } finally {
          await source.close();
        }
      });
    },

    async finish() {
      const directory = Buffer.concat(done.map((facts) => centralHeader(facts, stamp)));
      const last = endRecord(done.length, end, directory.byteLength);
      await append(directory);
      await append(last);
      await handle.sync();
      await handle.close();
      closed = true;
      await rename(partial, path);
      await syncFolder(dirname(path));
      return { bytes: end };
    },

    async abort() {
      if (closed) return;
      closed = true;
      await handle.close();
      await rm(partial, { force: true });
    },
  };

  /** Reads into one buffer while the other is being written: disk and hash work in parallel. */
  async function copyFrom(source: FileHandle, from: string, length: number) {
    const hash = createHash('sha256');
    const buffers = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
    let crc = 0;
    let position = 0;
    let turn: 0 | 1 = 0;
    let writing: Promise<void> = Promise.resolve();
    try {
      while (position < length) {
        const buffer = buffers[turn];
        turn = turn === 0 ? 1 : 0;
        const { bytesRead } = await source.read(buffer, 0, Math.min(CHUNK, length - position), position);
        if (bytesRead === 0) {
          throw new Error(`${from} ends at byte ${position}, before its expected length of ${length}`);
        }
        const chunk = buffer.subarray(0, bytesRead);
        position += bytesRead;
        await writing;
        writing = write(chunk, end);
        // It is awaited one turn later; until then a failure must not count as unhandled.
        writing.catch(() => {});
        end += bytesRead;
        hash.update(chunk);
        crc = crc32(chunk, crc);
      }
      await writing;
    } finally {
      // If reading failed, the pending write must settle before its buffer and file go away.
      await writing.catch(() => {});
    }
    return { size: length, crc, sha256: hash.digest('hex') };
  }
}

/** Makes the rename durable. Some file systems refuse to sync a folder: then there is nothing to do. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows and some network mounts.
  }
}
