import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { fileChunks } from './file-window.ts';
import { readRecords } from './read-records.ts';

export interface Recompression {
  readonly records: number;
  /** Why the file could not be inflated to its end; what came before is kept. */
  readonly brokenOff?: string;
}

/** Bytes that any file may inflate to; larger files may grow by this factor. */
const SMALL_ALLOWANCE = 1024 ** 3;
const GROWTH_ALLOWANCE = 50;

export class InflatesTooFar extends Error {
  override readonly name = 'InflatesTooFar';
}

/**
 * Compresses a file again, record by record. Tools that gzip a record file as a whole make one that can only be read
 * from its start: none of its records has a position of its own. Inflated, both files are the same bytes.
 */
export async function recompress(source: string, size: number, target: string): Promise<Recompression> {
  const plain = `${target}.plain`;
  try {
    const brokenOff = await inflate(source, Math.max(SMALL_ALLOWANCE, GROWTH_ALLOWANCE * size), plain);
    const out = await open(target, 'w');
    let records: number;
    try {
      records = await rewrite(plain, out);
    } finally {
      await out.close();
    }
    return { records, ...(brokenOff !== undefined && { brokenOff }) };
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await rm(plain, { force: true });
  }
}

async function inflate(source: string, limit: number, target: string): Promise<string | undefined> {
  let seen = 0;
  let fault: string | undefined;
  async function* bounded(): AsyncGenerator<Buffer> {
    const gunzip = createGunzip();
    const input = createReadStream(source);
    input.on('error', (error) => gunzip.destroy(error));
    try {
      for await (const chunk of input.pipe(gunzip)) {
        seen += (chunk as Buffer).length;
        if (seen > limit) throw new InflatesTooFar(`inflates to more than ${limit} bytes`);
        yield chunk as Buffer;
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!code?.startsWith('Z_')) throw error;
      fault = `gzip: ${message}`;
    } finally {
      input.destroy();
      gunzip.destroy();
    }
  }
  await pipeline(bounded, createWriteStream(target));
  return fault;
}

/** Bytes between records are kept as members of their own: nothing is dropped. */
async function rewrite(plain: string, out: FileHandle): Promise<number> {
  let records = 0;
  let end = 0;
  async function append(from: number, to: number): Promise<void> {
    if (to <= from) return;
    const source = Readable.from(fileChunks(plain, from, to - from));
    const gzip = createGzip();
    source.on('error', (error) => gzip.destroy(error));
    for await (const chunk of source.pipe(gzip)) await out.appendFile(chunk as Buffer);
  }
  for await (const { offset, length } of readRecords(plain)) {
    await append(end, offset);
    await append(offset, offset + length);
    end = offset + length;
    records++;
  }
  await append(end, (await stat(plain)).size);
  return records;
}
