import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import type { Body } from '../model/body.ts';
import { isDense } from './dense-content.ts';
import { type FieldList, RECORD_END, recordHead } from './record-head.ts';

/**
 * A record becomes one gzip member. Level by one measurement on 600 records of 30 KB of source text, 2 cores with
 * other work on them; records/s on this thread, on the pool, and the size left:
 * 1: 3145, 2733, 29.2 %; 4: 2596, 2393, 26.5 %; 5: 1934, 2380, 25.8 %; 6: 1626, 2226, 25.6 %; 9: 598, 1021, 25.5 %.
 * Level 5: past it the size hardly falls.
 */
export const GZIP_LEVEL = 5;

/**
 * A thread pool round trip costs 0.2 ms, compressing 8 KB less, as does storing 128 KB: below this it is done at
 * once. Bytes.
 */
const SYNC_LIMIT = { deflated: 8 * 1024, stored: 128 * 1024 } as const;

const gzipAsync = promisify(gzip);

/** A record to be: header fields without `Content-Length`, and a block of head and body. */
export interface RecordDraft {
  readonly fields: FieldList;
  readonly head: Uint8Array;
  readonly body: Body;
}

export type PackedRecord =
  | { readonly kind: 'memory'; readonly bytes: Buffer; readonly length: number }
  | { readonly kind: 'spooled'; readonly path: string; readonly length: number };

/** Compresses a draft: in memory where the body is in memory, else through the file `spool`. */
export async function packRecord(draft: RecordDraft, level: number, spool: string): Promise<PackedRecord> {
  const size = draft.head.length + draft.body.size;
  const head = recordHead([...draft.fields, ['Content-Length', String(size)]]);
  const dense = await isDense(draft.body);
  const { bytes } = draft.body;
  if (bytes) {
    const plain = Buffer.concat([head, draft.head, bytes, RECORD_END]);
    const options = { level: dense ? 0 : level, chunkSize: chunkSize(plain.length, dense) };
    const atOnce = plain.length <= (dense ? SYNC_LIMIT.stored : SYNC_LIMIT.deflated);
    const packed = atOnce ? gzipSync(plain, options) : await gzipAsync(plain, options);
    return { kind: 'memory', bytes: packed, length: packed.length };
  }
  async function* plain(): AsyncGenerator<Uint8Array> {
    yield head;
    yield draft.head;
    let left = draft.body.size;
    for await (const chunk of draft.body.chunks()) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) {
      const { size: announced } = draft.body;
      throw new Error(`a spooled body was announced with ${announced} bytes and had ${announced - left}`);
    }
    yield RECORD_END;
  }
  try {
    await pipeline(
      plain(),
      createGzip({ level: dense ? 0 : level }),
      createWriteStream(spool, { flags: 'wx' }),
    );
    return { kind: 'spooled', path: spool, length: (await stat(spool)).size };
  } catch (error) {
    await rm(spool, { force: true });
    throw error;
  }
}

/**
 * Room for the whole result, by the share that text leaves: every further chunk is another round trip through
 * the thread pool.
 */
function chunkSize(length: number, dense: boolean): number {
  return Math.max(16 * 1024, dense ? length + 4 * 1024 : length >> 1);
}
