import type { Body } from '../model/body.ts';
import type { CaptureEvent, CaptureFact, PayloadDigest, RecordPosition } from '../model/capture.ts';
import type { HeaderList, ResponseMessage } from '../model/exchange.ts';

/** How writing ended. */
export interface StoreEnd {
  /** Ended by an error: the last events may not be in the catalog, so the last file gets no index. */
  readonly isBrokenOff?: boolean;
}

/** Where capture events become WARC records. One writer per archive. */
export interface RecordStore {
  digest(response: ResponseMessage): Promise<PayloadDigest>;
  /** Appends the event whole, or throws StorageFull and leaves the file as it was. */
  append(event: CaptureEvent): Promise<readonly CaptureFact[]>;
  /** When it resolves, what was appended is on disk, or in the object store that keeps the records. */
  sync(): Promise<void>;
  /**
   * For an object store, which takes whole files: how long events should gather for one, in milliseconds. Each commit
   * is then synced.
   */
  readonly gathers?: number;
  /** Lengths of the files written since the store was opened; with an object store, since the sync before the last. */
  lengths(): ReadonlyMap<string, number>;
  /** The catalog knows these files: the next one to be begun names the last of them, so that an older catalog is told from a crash. */
  noteCommitted?(lengths: ReadonlyMap<string, number>): void;
  close(end?: StoreEnd): Promise<void>;
}

const FULL_DISK: ReadonlySet<unknown> = new Set(['ENOSPC', 'EFBIG', 'EDQUOT']);

/** No space, a quota, or a limit on file size: what becomes StorageFull. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL_DISK.has(error.code);
}

/** The disk is full (or a quota is). What was stored before is whole. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
  readonly file: string;
  constructor(file: string, cause: unknown) {
    super(`no space left to write ${file}: free some space, then run the same command to go on`, { cause });
    this.file = file;
  }
}

/** There is no whole record where the catalog says. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  constructor({ file, offset }: RecordPosition, reason: string, cause?: unknown) {
    super(`${file} at ${offset}: ${reason}`, cause === undefined ? undefined : { cause });
  }
}

/** A record read back. `http` is absent for records that hold no HTTP message (resource, metadata). */
export interface StoredRecord {
  readonly type: string;
  /** The WARC header fields. */
  readonly fields: HeaderList;
  readonly http?: { readonly status: number; readonly headers: HeaderList; readonly head: Uint8Array };
  /** The payload with transfer coding removed, content coding kept. */
  readonly payload: Body;
}

/** Undefined for a record that holds no HTTP message. */
export function storedResponse({ http, payload }: StoredRecord): ResponseMessage | undefined {
  if (!http) return undefined;
  // The payload no longer has a transfer coding.
  const headers = http.headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  return { ...http, headers, body: payload, framing: 'identity' };
}

/** Reads single records by position; safe while another process writes to the archive. */
export interface RecordReader {
  read(position: RecordPosition): Promise<StoredRecord>;
  close(): Promise<void>;
}
