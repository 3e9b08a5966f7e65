import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Body } from '../model/body.ts';
import { isDense } from './dense-content.ts';
import { type GzipThread, type MemberDraft, roomFor } from './gzip-thread.ts';
import { type FieldList, RECORD_END, recordHead } from './record-head.ts';

/**
 * A record becomes one gzip member, at a level that the current load allows. Measured on 500 pages of 20 KB (and on
 * 600 records of 30 KB of source text), per page and size left:
 * 9: 0.90 ms 28.0 %; 6: 0.70 ms 28.2 %; 5: 0.50 ms 28.6 %; 4: 0.41 ms 28.7 %; 3: 0.32 ms 29.5 %; 1: 0.27 ms 31.6 %.
 * A crawl that waits for servers has time for 6; one limited by the machine takes 3.
 */
export const GZIP_LEVEL = { calm: 6, pressed: 3 } as const;

/**
 * More bytes than this at once are compressed on the other thread, at the quicker level: a crawl that brings so much
 * within a moment is limited by the processor. Less is done here, in about a millisecond.
 */
const CALM_LIMIT = 64 * 1024;

/** A record to be written: header fields without `Content-Length`, and a block of head and body. */
export interface RecordDraft {
  readonly fields: FieldList;
  readonly head: Uint8Array;
  readonly body: Body;
}

export type PackedRecord =
  | { readonly kind: 'memory'; readonly bytes: Buffer; readonly length: number }
  | { readonly kind: 'spooled'; readonly path: string; readonly length: number };

export interface PackOptions {
  /** A fixed level, whatever the load. */
  readonly level?: number;
  readonly thread: GzipThread;
  /** A new name for the file of a record whose body is not in memory. */
  readonly spool: () => string;
}

/** Compresses drafts, in their order: in memory if the body is in memory, else through a file. */
export async function packRecords(
  drafts: readonly RecordDraft[],
  options: PackOptions,
): Promise<PackedRecord[]> {
  const inMemory = await Promise.all(drafts.map((draft) => (draft.body.bytes ? memberOf(draft) : undefined)));
  const members = inMemory.filter((member) => member !== undefined);
  const work = members.reduce((sum, { length, dense }) => sum + (dense ? 0 : length), 0);
  const pressed = work > CALM_LIMIT;
  const level = options.level ?? (pressed ? GZIP_LEVEL.pressed : GZIP_LEVEL.calm);
  const levelled = members.map((member) => ({ ...member, level: member.dense ? 0 : level }));
  const spooling = Promise.allSettled(
    drafts.map((draft) => (draft.body.bytes ? undefined : packSpooled(draft, level, options.spool()))),
  );
  let packed: Buffer[] | undefined;
  let failure: unknown;
  try {
    packed = pressed ? await options.thread.pack(levelled) : levelled.map(packMember);
  } catch (error) {
    failure = error;
  }
  const spooled = await spooling;
  const failed = spooled.find((result) => result.status === 'rejected');
  if (failed || !packed) {
    await discard(
      spooled.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : [])),
    );
    throw failed ? failed.reason : failure;
  }
  let next = 0;
  return spooled.map((result): PackedRecord => {
    if (result.status === 'fulfilled' && result.value) return result.value;
    const bytes = packed[next++] as Buffer;
    return { kind: 'memory', bytes, length: bytes.length };
  });
}

/** Frees the files of records that were placed, or abandoned. */
export async function discard(packed: readonly PackedRecord[]): Promise<void> {
  for (const record of packed) if (record.kind === 'spooled') await rm(record.path, { force: true });
}

function headOf(draft: RecordDraft): Buffer {
  return recordHead([...draft.fields, ['Content-Length', String(draft.head.length + draft.body.size)]]);
}

async function memberOf(
  draft: RecordDraft,
): Promise<Omit<MemberDraft, 'level'> & { readonly dense: boolean }> {
  const parts = [headOf(draft), draft.head, draft.body.bytes ?? new Uint8Array(0), RECORD_END];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { parts, length, dense: await isDense(draft.body) };
}

function packMember({ parts, length, level }: MemberDraft): Buffer {
  return gzipSync(Buffer.concat(parts, length), { level, chunkSize: roomFor({ length, level }) });
}

async function packSpooled(draft: RecordDraft, level: number, spool: string): Promise<PackedRecord> {
  const dense = await isDense(draft.body);
  async function* plain(): AsyncGenerator<Uint8Array> {
    yield headOf(draft);
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
