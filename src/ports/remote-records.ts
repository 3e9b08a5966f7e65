/**
 * Whole record files in an object store, which is their home: the archive's folder has copies. A file is there whole or not at
 * all, and is not changed once it is there, except that a tail which was never committed is cut off.
 */
export interface RemoteRecords {
  /** `s3://bucket/prefix`, for messages. */
  readonly url: string;
  /** Bytes that copies in the folder may take. */
  readonly cacheSize: number;
  /** In order of name. */
  list(): Promise<readonly { readonly file: string; readonly size: number }[]>;
  /** The file at `path` is in the store when it resolves. An equal file of that name counts as put; another one is an error. */
  put(file: string, path: string, options?: { readonly replace?: boolean }): Promise<void>;
  /** Rejects with the system's ENOENT where there is no such file; fewer bytes where it ends before. */
  range(file: string, offset: number, length: number): Promise<Buffer>;
  /** Writes a copy to `path`. Rejects with ENOENT as well. */
  copyTo(file: string, path: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** A small text beside the records; undefined where there is none. */
  readNote(name: string): Promise<string | undefined>;
  /** False where `ifAbsent` is asked for and the store says that there is one. */
  writeNote(name: string, text: string, options?: { readonly ifAbsent?: boolean }): Promise<boolean>;
  removeNote(name: string): Promise<void>;
  close(): void;
}

/** What became of a store of records, named by what the user does next. */
export type StorageFaultKind = 'denied' | 'absent' | 'unreachable' | 'refused' | 'foreign';

export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  readonly kind: StorageFaultKind;
  constructor(kind: StorageFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
