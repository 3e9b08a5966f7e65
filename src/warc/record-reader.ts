import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { memoryBody } from '../model/body.ts';
import type { RecordPosition } from '../model/capture.ts';
import { DamagedRecord, type RecordReader } from '../ports/record-store.ts';
import { isSystemError, naming } from '../ports/system-error.ts';
import { anyHead } from './any-head.ts';
import { readFully } from './file-window.ts';
import { MEMORY_LIMIT } from './gzip-member.ts';
import { RangeCache, type RecordSource } from './range-cache.ts';
import { readRecords } from './read-records.ts';
import { readsTogether } from './reads-together.ts';
import { makeRecord, type WarcRecord } from './warc-record.ts';

const gunzipAsync = promisify(gunzip);

/** Open files kept; the least recently used is closed first. */
const MAX_OPEN = 32;
/** Milliseconds after which an unused file is closed: a deleted file takes up space until then. */
const IDLE = 30 * 1000;
/** Compressed records up to this size are inflated synchronously; larger ones on the thread pool. */
const SYNC_LIMIT = 64 * 1024;
/** Whatever a member says of its size. */
const LARGEST_ROOM = 1 << 20;
/** Compressed records past this are streamed. */
const READ_LIMIT = 16 << 20;

/**
 * Reads single records of the WARC files in a folder. A record is whole on disk before anyone learns its
 * position, so reading alongside a writer needs no lock.
 */
export function openRecordReader(
  folder: string,
  source?: RecordSource,
): RecordReader & {
  read(position: RecordPosition): Promise<WarcRecord>;
} {
  const files = new OpenFiles();
  const readRange = readsTogether((path, offset, length) =>
    files.use(path, (opened) => readFully(opened, offset, length)),
  );
  const ranges = source && new RangeCache(source);
  const places: Places = {
    async bytes({ file, offset, length }) {
      const path = join(folder, file);
      const here = naming(path, readRange(path, offset, length));
      if (!ranges) return here;
      return here.catch((error: unknown) => {
        if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
        return ranges.read(file, offset, length);
      });
    },
    whole: async (file) => source?.whole(file) ?? join(folder, file),
  };
  return {
    read: (position) => readAt(places, join(folder, position.file), position),
    close: () => files.close(),
  };
}

interface Places {
  bytes(position: RecordPosition): Promise<Buffer>;
  /** The path of the whole file. */
  whole(file: string): Promise<string>;
}

async function readAt(places: Places, path: string, position: RecordPosition): Promise<WarcRecord> {
  const { offset, length } = position;
  if (length > READ_LIMIT) return streamed(await places.whole(position.file), position);
  const bytes = await places.bytes(position);
  if (bytes.length < length) throw new DamagedRecord(position, 'the file ends inside the record');
  let plain: Buffer = bytes;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const options = { maxOutputLength: MEMORY_LIMIT, chunkSize: roomFor(bytes) };
    try {
      plain = length <= SYNC_LIMIT ? gunzipSync(bytes, options) : await gunzipAsync(bytes, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        return streamed(await places.whole(position.file), position);
      }
      throw new DamagedRecord(position, 'the record is damaged', error);
    }
  }
  const head = anyHead(plain);
  if (typeof head === 'string') throw new DamagedRecord(position, head);
  const end = head.length + head.blockSize;
  if (end > plain.length) throw new DamagedRecord(position, 'the record is shorter than its Content-Length');
  const block = memoryBody(plain.subarray(head.length, end));
  return makeRecord({ ...head, block, file: path, offset, length });
}

/** Bytes made ready for what a member inflates to: all of it, as its last four bytes tell, since each piece is another turn. */
const roomFor = (member: Buffer): number =>
  Math.min(LARGEST_ROOM, (member.length < 4 ? 0 : member.readUInt32LE(member.length - 4)) + 64);

async function streamed(path: string, position: RecordPosition): Promise<WarcRecord> {
  const { offset } = position;
  let reason = 'no record there';
  const onProblem = (problem: { reason: string }): void => {
    reason = problem.reason;
  };
  for await (const record of readRecords(path, { from: offset, onProblem })) {
    if (record.offset === offset) return record;
    break;
  }
  throw new DamagedRecord(position, reason);
}

interface OpenFile {
  readonly handle: Promise<FileHandle>;
  users: number;
  usedAt: number;
}

/** File handles by path, in order of last use. One in use is never closed. */
class OpenFiles {
  private readonly files = new Map<string, OpenFile>();
  private timer: NodeJS.Timeout | undefined;

  async use<T>(path: string, task: (file: FileHandle) => Promise<T>): Promise<T> {
    const known = this.files.get(path);
    const entry = known ?? { handle: open(path), users: 0, usedAt: 0 };
    this.files.delete(path);
    this.files.set(path, entry);
    entry.users++;
    try {
      return await task(await entry.handle);
    } catch (error) {
      if (this.files.get(path) === entry && entry.users === 1) {
        // A file that could not be opened may be there next time.
        const opened = await entry.handle.then(
          () => true,
          () => false,
        );
        if (!opened) this.files.delete(path);
      }
      throw error;
    } finally {
      entry.users--;
      entry.usedAt = performance.now();
      this.timer ??= setInterval(() => void this.closeIdle(), IDLE).unref();
      if (this.files.size > MAX_OPEN) await this.closeOldest();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    const open = [...this.files.values()];
    this.files.clear();
    for (const { handle } of open) await (await handle).close();
  }

  private async closeIdle(): Promise<void> {
    const before = performance.now() - IDLE;
    for (const [path, { handle, users, usedAt }] of this.files) {
      if (users > 0 || usedAt > before) continue;
      this.files.delete(path);
      await handle.then((file) => file.close()).catch(() => {});
    }
    if (this.files.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async closeOldest(): Promise<void> {
    for (const [path, entry] of this.files) {
      if (entry.users > 0) continue;
      this.files.delete(path);
      await (await entry.handle).close();
      return;
    }
  }
}
