import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { textOf } from '../model/body.ts';
import type { CaptureEvent, CaptureFact } from '../model/capture.ts';
import { MERGED } from '../model/derived-uris.ts';
import { isFullDisk, StorageFull } from '../ports/record-store.ts';
import { eventRecords } from './event-records.ts';
import { writeFully } from './file-window.ts';
import { GzipThread } from './gzip-thread.ts';
import { HEAD } from './merged-parts.ts';
import { discard, packRecords, type RecordDraft } from './pack.ts';
import { readRecords } from './read-records.ts';

export interface Merging {
  readonly target: string;
  /** Name of the new file, for facts. */
  readonly name: string;
  readonly warcinfo: RecordDraft;
  /** Says which files are in it; written before them. */
  readonly head: CaptureEvent;
  /** Paths of the old files, each read once the one before is copied. */
  readonly sources: AsyncIterable<{ readonly file: string; readonly path: string }>;
  /** For records that are not in memory. */
  readonly spool: () => string;
}

export interface MergedWarcs {
  readonly length: number;
  readonly parts: readonly { readonly file: string; readonly length: number; readonly shift: number }[];
  readonly added: readonly CaptureFact[];
}

/**
 * Writes record files one after the other into a new one, byte for byte. When it resolves, the new file is on disk.
 */
export async function mergeWarcs(merging: Merging): Promise<MergedWarcs> {
  const thread = new GzipThread();
  const target = await open(merging.target, 'wx');
  try {
    const { added, length: begun } = await writeHead(merging, target, thread);
    const parts: { file: string; length: number; shift: number }[] = [];
    let written = begun;
    for await (const { file, path } of merging.sources) {
      const shift = written;
      for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
        await writeFully(target, chunk as Buffer, written);
        written += (chunk as Buffer).length;
      }
      parts.push({ file, length: written - shift, shift });
    }
    await target.sync();
    return { length: written, parts, added };
  } catch (error) {
    throw isFullDisk(error) ? new StorageFull(merging.target, error) : error;
  } finally {
    await target.close();
    await thread.close();
  }
}

async function writeHead(
  { warcinfo, head, name, spool }: Merging,
  target: FileHandle,
  thread: GzipThread,
): Promise<{ readonly added: readonly CaptureFact[]; readonly length: number }> {
  const records = await eventRecords(head, new WeakMap());
  const packed = await packRecords([warcinfo, ...records.map(({ draft }) => draft)], { thread, spool });
  try {
    const added: CaptureFact[] = [];
    let offset = 0;
    for (const [i, record] of packed.entries()) {
      const bytes = record.kind === 'memory' ? record.bytes : await readWhole(record.path);
      await writeFully(target, bytes, offset);
      const fact = records[i - 1]?.fact;
      if (fact) added.push({ ...fact, file: name, offset, length: bytes.length });
      offset += bytes.length;
    }
    return { added, length: offset };
  } finally {
    await discard(packed);
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks, (await stat(path)).size);
}

/** The files that were merged into this one, as it says itself; undefined where it does not. */
export async function mergedFrom(path: string): Promise<readonly string[] | undefined> {
  let left = HEAD;
  for await (const { url, payload } of readRecords(path)) {
    if (url.startsWith(MERGED)) {
      const { from } = JSON.parse(await textOf(payload)) as { readonly from?: unknown };
      return Array.isArray(from) ? from.filter((name) => typeof name === 'string') : undefined;
    }
    if (--left === 0) return undefined;
  }
  return undefined;
}
