import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveIdentity } from '../model/archive-identity.ts';
import type { CaptureEvent, CaptureFact, PayloadDigest } from '../model/capture.ts';
import type { ResponseMessage } from '../model/exchange.ts';
import { PRIVATE_FILE } from '../model/private-capture.ts';
import type { Clock } from '../ports/clock.ts';
import { isFullDisk, type RecordStore, StorageFull, type StoreEnd } from '../ports/record-store.ts';
import { cdxjLine, timestamp14, writeSortedLines } from './cdxj.ts';
import { responseDigest } from './digest.ts';
import { type DraftedRecord, eventRecords, type UnplacedFact } from './event-records.ts';
import { GzipThread } from './gzip-thread.ts';
import { discard, type PackedRecord, packRecords, type RecordDraft } from './pack.ts';
import { SEGMENT_GATHERS, type SegmentHome, segmentChance } from './segments.ts';
import { type AppendTarget, WarcFile } from './warc-file.ts';
import { warcinfoDraft } from './warcinfo-record.ts';

export interface WarcStoreOptions {
  /** The archive folder; files go to its `warc/`, `indexes/` and `tmp/`. */
  readonly archive: string;
  readonly collection: string;
  readonly crawlId: string | number;
  readonly clock: Clock;
  /** Goes into `warcinfo`, e.g. `Daguerre/0.1.0`. */
  readonly software: string;
  /** The archive these records belong to; goes into `warcinfo` too. */
  readonly identity?: ArchiveIdentity;
  readonly userAgent: string;
  /** How robots.txt was treated: `obey`, `ignore`. */
  readonly robots: string;
  /** Its captures are private: file names and their warcinfo say so. */
  readonly isPrivate?: boolean;
  /** A file that has grown to this many bytes is closed, and the next one started. */
  readonly maxFileSize?: number;
  /**
   * Where files are kept, if not in the archive's folder: they are written there in pieces, and each is moved to its home whole.
   */
  readonly segments?: SegmentHome;
  /** Opens the file to append to. Tests supply one that fails. */
  readonly openFile?: (path: string) => Promise<AppendTarget>;
}

export const MAX_FILE_SIZE = 1_000_000_000;

/** Paths of the archive's files; every reader and writer of `src/warc` uses these. */
export const archiveFolders = (archive: string) => ({
  warc: join(archive, 'warc'),
  indexes: join(archive, 'indexes'),
  tmp: join(archive, 'tmp'),
});

/** A file is created when the first event arrives, so that a crawl that stores nothing leaves none. */
export async function openWarcStore(options: WarcStoreOptions): Promise<RecordStore> {
  const folders = {
    ...archiveFolders(options.archive),
    ...(options.segments && { warc: options.segments.folder }),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return new WarcStore(options);
}

/** An event on its way to the file. */
interface Arrival {
  readonly records: readonly DraftedRecord[];
  resolve(facts: readonly CaptureFact[]): void;
  reject(error: unknown): void;
}

class WarcStore implements RecordStore {
  private readonly options: WarcStoreOptions;
  private readonly folders: ReturnType<typeof archiveFolders>;
  private readonly known = new WeakMap<object, string>();
  private readonly digests = new WeakMap<ResponseMessage, Promise<PayloadDigest>>();
  private readonly committed = new Map<string, number>();
  private readonly thread = new GzipThread();
  private file: WarcFile | undefined;
  /** CDXJ lines of the open file. */
  private lines: string[] = [];
  private sequence = 0;
  /** Events appended at the same moment: they are packed and written together. */
  private arrivals: Arrival[] = [];
  /** Tail of the queue of appends: only one at a time writes files. */
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** Files that were closed before the last sync: the callers already know of them. */
  private told: ReadonlySet<string> = new Set();
  private follows: string | undefined;
  readonly gathers?: number;

  constructor(options: WarcStoreOptions) {
    this.options = options;
    const { segments } = options;
    this.folders = { ...archiveFolders(options.archive), ...(segments && { warc: segments.folder }) };
    if (segments) this.gathers = SEGMENT_GATHERS;
  }

  /** Requested twice, when a version is judged and when its original is looked up: computed once. */
  digest(response: ResponseMessage): Promise<PayloadDigest> {
    const taken =
      this.digests.get(response) ?? responseDigest(response, (sha256) => this.known.set(response, sha256));
    this.digests.set(response, taken);
    return taken;
  }

  async append(event: CaptureEvent): Promise<readonly CaptureFact[]> {
    if (this.closed) throw new Error('the WARC store is closed');
    const records = await eventRecords(event, this.known);
    return new Promise((resolve, reject) => {
      if (this.arrivals.length === 0) setImmediate(() => void this.store());
      this.arrivals.push({ records, resolve, reject });
    });
  }

  sync(): Promise<void> {
    return this.enqueue(() =>
      this.options.segments ? this.endSegment() : (this.file?.sync() ?? Promise.resolve()),
    );
  }

  /** By now, callers have asked for everything recorded before the last sync: those files need not be listed for ever. */
  private async endSegment(): Promise<void> {
    if (!this.file) return;
    for (const file of this.told) this.committed.delete(file);
    this.told = new Set(this.committed.keys());
    await this.finishFile();
  }

  noteCommitted(lengths: ReadonlyMap<string, number>): void {
    this.follows = [...lengths.keys()].at(-1) ?? this.follows;
  }

  lengths(): ReadonlyMap<string, number> {
    return new Map(this.committed);
  }

  async close({ isBrokenOff = false }: StoreEnd = {}): Promise<void> {
    this.closed = true;
    try {
      await this.enqueue(() => this.finishFile(isBrokenOff));
    } finally {
      await this.thread.close();
    }
  }

  private enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.queue.then(task);
    this.queue = result.catch(() => {});
    return result;
  }

  /** Packs what has arrived, while earlier events are being written, and writes it: all of it or nothing. */
  private async store(): Promise<void> {
    const arrivals = this.arrivals;
    this.arrivals = [];
    let packed: readonly PackedRecord[] = [];
    try {
      packed = await this.pack(arrivals.flatMap(({ records }) => records.map(({ draft }) => draft)));
      const facts = await this.enqueue(() => this.place(arrivals, packed));
      arrivals.forEach(({ resolve }, i) => {
        resolve(facts[i] ?? []);
      });
    } catch (error) {
      for (const { reject } of arrivals) reject(error);
    } finally {
      await discard(packed);
    }
  }

  private async pack(drafts: readonly RecordDraft[]): Promise<PackedRecord[]> {
    try {
      return await packRecords(drafts, {
        thread: this.thread,
        spool: () => join(this.folders.tmp, `${randomUUID()}.gz`),
      });
    } catch (error) {
      throw isFullDisk(error) ? new StorageFull(this.folders.tmp, error) : error;
    }
  }

  private async place(
    arrivals: readonly Arrival[],
    packed: readonly PackedRecord[],
  ): Promise<(readonly CaptureFact[])[]> {
    const facts: (readonly CaptureFact[])[] = [];
    let next = 0;
    for (const group of this.byFile(arrivals, packed)) {
      if (group.full) await this.finishFile();
      this.file ??= await this.beginFile();
      const { file } = this;
      let offset = file.length;
      await file.append(packed.slice(next, next + group.records));
      this.committed.set(file.name, file.length);
      for (const { records } of group.arrivals) {
        const placed: CaptureFact[] = [];
        for (const { fact } of records) {
          const { length } = packed[next++] as PackedRecord;
          if (fact) placed.push(this.index(fact, file.name, offset, length));
          offset += length;
        }
        facts.push(placed);
      }
    }
    return facts;
  }

  /**
   * Events in groups of one file each; before a `full` group a new file is started. An event larger than the limit gets a file of
   * its own rather than being split.
   */
  private byFile(arrivals: readonly Arrival[], packed: readonly PackedRecord[]) {
    const limit = this.options.maxFileSize ?? MAX_FILE_SIZE;
    const groups: { full: boolean; arrivals: Arrival[]; records: number }[] = [];
    let length = this.file && this.lines.length > 0 ? this.file.length : 0;
    let next = 0;
    for (const arrival of arrivals) {
      let incoming = 0;
      for (const _ of arrival.records) incoming += packed[next++]?.length ?? 0;
      const full = length > 0 && length + incoming > limit;
      length = full ? incoming : length + incoming;
      const last = groups.at(-1);
      if (full || !last) groups.push({ full, arrivals: [arrival], records: arrival.records.length });
      else {
        last.arrivals.push(arrival);
        last.records += arrival.records.length;
      }
    }
    return groups;
  }

  private index(fact: UnplacedFact, file: string, offset: number, length: number): CaptureFact {
    const placed = { ...fact, file, offset, length };
    this.lines.push(cdxjLine(placed));
    return placed;
  }

  private async beginFile(): Promise<WarcFile> {
    const { collection, crawlId, clock, isPrivate, openFile = openNew } = this.options;
    const at = clock.now();
    for (;;) {
      const number = `${String(this.sequence).padStart(5, '0')}${this.options.segments ? segmentChance() : ''}`;
      const parts = [collection, String(crawlId), timestamp14(at), number];
      const name = `${isPrivate ? PRIVATE_FILE : ''}${parts.map((part) => part.replace(/[^\w.]+/g, '_')).join('-')}.warc.gz`;
      this.sequence++;
      let target: AppendTarget;
      try {
        target = await openFile(join(this.folders.warc, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        throw isFullDisk(error) ? new StorageFull(name, error) : error;
      }
      const file = new WarcFile(name, target);
      try {
        await file.append([await this.warcinfo(name, at)]);
      } catch (error) {
        // It contains no event: a file with only half a warcinfo helps no one.
        await file.close();
        await rm(join(this.folders.warc, name), { force: true });
        throw error;
      }
      this.committed.set(name, file.length);
      return file;
    }
  }

  private async warcinfo(name: string, at: number): Promise<PackedRecord> {
    const draft = warcinfoDraft(this.options, {
      ...{ name, at },
      ...(this.follows !== undefined && { follows: this.follows }),
    });
    const [packed] = await this.pack([draft]);
    return packed as PackedRecord;
  }

  /** The index is written only once the file is whole; after a crash `reindex` writes it. */
  private async finishFile(isBrokenOff = false): Promise<void> {
    const { file, lines } = this;
    if (!file) return;
    this.file = undefined;
    this.lines = [];
    await file.sync();
    await file.close();
    if (isBrokenOff) return;
    if (this.options.segments) return this.options.segments.ship(file.name);
    try {
      await writeSortedLines(join(this.folders.indexes, `${file.name}.cdxj`), lines);
    } catch (error) {
      throw isFullDisk(error) ? new StorageFull(`${file.name}.cdxj`, error) : error;
    }
  }
}

/** Mode 'wx': an existing file is never written to. */
function openNew(path: string): Promise<AppendTarget> {
  return open(path, 'wx');
}
