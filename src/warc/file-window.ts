import { type FileHandle, open } from 'node:fs/promises';
import { naming } from '../ports/system-error.ts';

/** Bytes read ahead at once. */
const AHEAD = 1 << 20;

/**
 * Positioned reading of a file with one read-ahead buffer. The file may grow meanwhile: `size` is its size
 * when it was opened, so that a reader alongside a writer sees whole records only up to there.
 */
export class FileWindow {
  readonly path: string;
  readonly size: number;
  private readonly file: FileHandle;
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.file = file;
    this.size = size;
  }

  static async open(path: string): Promise<FileWindow> {
    const file = await open(path);
    return new FileWindow(path, file, (await file.stat()).size);
  }

  /**
   * At least `length` bytes from `offset` on (fewer at the end of the file), and more if they are in the
   * buffer. The result stays valid after further calls.
   */
  async at(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, Math.max(0, this.size - offset));
    const from = offset - this.start;
    if (from < 0 || from + wanted > this.buffer.length) {
      const size = Math.min(Math.max(wanted, AHEAD), Math.max(0, this.size - offset));
      // A new buffer each time: records already returned point into the old one.
      this.buffer = await naming(this.path, readFully(this.file, offset, size));
      this.start = offset;
    }
    return this.buffer.subarray(offset - this.start);
  }

  /** `length` bytes from `offset` on, piece by piece, bypassing the read-ahead buffer. */
  chunks(offset: number, length: number): AsyncGenerator<Buffer> {
    return fileChunks(this.path, offset, length);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

export async function readFully(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

/** Writes all of the bytes: a file may accept fewer per call, and says so only in the result. */
export async function writeFully(
  file: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
  }
}

/** A part of a file, opened just for this read: a body outlives the reader it came from. */
export async function* fileChunks(path: string, offset: number, length: number): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const end = offset + length;
    for (let at = offset; at < end; ) {
      const chunk = await naming(path, readFully(file, at, Math.min(256 * 1024, end - at)));
      if (chunk.length === 0) return;
      yield chunk;
      at += chunk.length;
    }
  } finally {
    await file.close();
  }
}
