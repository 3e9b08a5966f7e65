import { type FileHandle, open } from 'node:fs/promises';
import { memoryBody, textOf } from '../model/body.ts';
import type { CaptureEvent, CaptureFact, PageInfo } from '../model/capture.ts';
import { pageInfoUri } from '../model/derived-uris.ts';
import { header } from '../model/exchange.ts';
import type { DroppedVisit, FileSwap } from '../ports/catalog.ts';
import { isFullDisk, StorageFull } from '../ports/record-store.ts';
import { eventRecords } from './event-records.ts';
import { writeFully } from './file-window.ts';
import { GzipThread } from './gzip-thread.ts';
import { discard, type PackedRecord, packRecords, type RecordDraft } from './pack.ts';
import { readRecords } from './read-records.ts';
import type { WarcRecord } from './warc-record.ts';

/** An event of a page whose records are removed; its page info and what it says about the change stay. */
export interface EventToDrop {
  readonly eventId: string;
  /** URL and time of the page. */
  readonly url: string;
  /** Its first record is at this offset or later: the end of a record before it. */
  readonly from: number;
  /** Where its page info ends. */
  readonly to: number;
  /** Offset of the record whose row in the catalog becomes that of the page info. */
  readonly was: number;
  /** Offsets of answers that stay, because other records need them. */
  readonly needed: ReadonlySet<number>;
  /** The page info that replaces the event's own. */
  readonly told: (info: PageInfo, bytes: number) => DroppedVisit['page'];
}

export interface Rewriting {
  readonly source: string;
  readonly target: string;
  /** Name of the new file, for facts. */
  readonly name: string;
  /** In the order of the file. */
  readonly events: readonly EventToDrop[];
  /** An event at the end of the new file, written once everything is known. */
  readonly closing: (dropped: readonly DroppedVisit[]) => CaptureEvent;
  /** For records that are not in memory. */
  readonly spool: () => string;
}

/** There is no such event where the catalog says. */
export class NoSuchEvent extends Error {
  override readonly name = 'NoSuchEvent';
}

type Rewritten = Omit<FileSwap, 'from' | 'to'>;

/**
 * Rewrites a record file without the records of some events: all others are copied byte for byte, without being unpacked.
 * When it resolves, the new file is on disk; the old one is left unchanged.
 */
export async function rewriteWarc(rewriting: Rewriting): Promise<Rewritten> {
  const thread = new GzipThread();
  const source = await open(rewriting.source);
  try {
    const target = await open(rewriting.target, 'wx');
    try {
      const rewritten = await new Rewriter(rewriting, source, target, thread).run();
      await target.sync();
      return rewritten;
    } catch (error) {
      throw isFullDisk(error) ? new StorageFull(rewriting.target, error) : error;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
    await thread.close();
  }
}

const PAGE_INFO = pageInfoUri('');
/** What a visit found, not what it brought home: kept as for versions that are never stored (decisions/0012). */
const STAYS = /^urn:(?:delta|template):/;

/** Bytes copied at a time. */
const CHUNK = 1 << 20;

class Rewriter {
  private readonly rewriting: Rewriting;
  private readonly source: FileHandle;
  private readonly target: FileHandle;
  private readonly thread: GzipThread;
  private readonly buffer = Buffer.allocUnsafe(CHUNK);
  private readonly copied: { first: number; past: number; shift: number }[] = [];
  private readonly repacked: { was: number; offset: number; length: number }[] = [];
  private readonly dropped: DroppedVisit[] = [];
  /** How far the old file has been processed, and the new one written. */
  private read = 0;
  private written = 0;

  constructor(rewriting: Rewriting, source: FileHandle, target: FileHandle, thread: GzipThread) {
    this.rewriting = rewriting;
    this.source = source;
    this.target = target;
    this.thread = thread;
  }

  async run(): Promise<Rewritten> {
    const { size } = await this.source.stat();
    for (const event of this.rewriting.events) await this.dropEvent(event);
    await this.copyTo(size);
    const closing = await eventRecords(this.rewriting.closing(this.dropped), new WeakMap());
    const added: CaptureFact[] = [];
    for (const { draft, fact } of closing) {
      const [offset, length] = await this.write(draft);
      if (fact) added.push({ ...fact, file: this.rewriting.name, offset, length });
    }
    const { copied, repacked, dropped, written: length } = this;
    return { length, copied, repacked, dropped, added };
  }

  private async dropEvent(event: EventToDrop): Promise<void> {
    let request: WarcRecord | undefined;
    let bytes = 0;
    let isTold = false;
    for await (const record of readRecords(this.rewriting.source, { from: event.from, to: event.to })) {
      const { offset, length, url } = record;
      if (header(record.fields, 'warc-page-id') !== event.eventId) continue;
      await this.copyTo(offset);
      if (record.type === 'request') {
        // It goes where its answer goes, which comes next.
        request = record;
        this.read = offset + length;
        continue;
      }
      if (record.type === 'response' || record.type === 'revisit') {
        if (event.needed.has(offset)) {
          if (request) this.read = request.offset;
          await this.copyTo(offset + length);
        } else bytes += length + (request?.length ?? 0);
        request = undefined;
      } else if (url.startsWith(PAGE_INFO)) {
        await this.writeInfo(record, event, bytes);
        isTold = true;
      } else if (STAYS.test(url)) await this.repack(record);
      else bytes += length;
      this.read = offset + length;
    }
    if (!isTold)
      throw new NoSuchEvent(
        `${this.rewriting.source}: there is no page info of ${event.url} between ${event.from} and ${event.to}`,
      );
  }

  private async writeInfo(record: WarcRecord, event: EventToDrop, bytes: number): Promise<void> {
    const info = JSON.parse(await textOf(record.payload)) as PageInfo;
    const page = event.told(info, bytes);
    const body = memoryBody(Buffer.from(JSON.stringify(page)));
    const [written] = await eventRecords(
      {
        id: event.eventId,
        url: event.url,
        at: record.at,
        exchanges: [],
        derived: [{ uri: record.url, contentType: 'application/json', body }],
      },
      new WeakMap(),
    );
    if (!written?.fact) throw new Error('a page info is one record');
    const [offset, length] = await this.write(written.draft);
    this.dropped.push({
      page,
      info: { ...written.fact, file: this.rewriting.name, offset, length },
      was: event.was,
    });
  }

  /** The record itself, without the reference to the removed answer it accompanied. */
  private async repack(record: WarcRecord): Promise<void> {
    const fields = record.fields.filter(([name]) => !/^(?:warc-concurrent-to|content-length)$/i.test(name));
    const [offset, length] = await this.write({ fields, head: new Uint8Array(0), body: record.block });
    this.repacked.push({ was: record.offset, offset, length });
  }

  private async write(draft: RecordDraft): Promise<[offset: number, length: number]> {
    const packed = await packRecords([draft], { thread: this.thread, spool: this.rewriting.spool });
    try {
      const offset = this.written;
      for (const record of packed) await this.append(record);
      return [offset, this.written - offset];
    } finally {
      await discard(packed);
    }
  }

  private async append(record: PackedRecord): Promise<void> {
    if (record.kind === 'memory') {
      await writeFully(this.target, record.bytes, this.written);
      this.written += record.length;
      return;
    }
    const spooled = await open(record.path);
    try {
      await this.copyFrom(spooled, 0, record.length);
    } finally {
      await spooled.close();
    }
  }

  /** Copies everything up to here that has not been processed yet. */
  private async copyTo(past: number): Promise<void> {
    const first = this.read;
    if (past <= first) return;
    this.copied.push({ first, past, shift: this.written - first });
    await this.copyFrom(this.source, first, past - first);
    this.read = past;
  }

  private async copyFrom(file: FileHandle, start: number, length: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(this.buffer, 0, Math.min(CHUNK, length - done), start + done);
      if (bytesRead === 0) throw new Error(`${this.rewriting.source} became shorter while it was read`);
      await writeFully(this.target, this.buffer.subarray(0, bytesRead), this.written);
      this.written += bytesRead;
      done += bytesRead;
    }
  }
}
