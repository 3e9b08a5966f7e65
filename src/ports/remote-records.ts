/**
 * Whole record files in an object store, which is their home: the archive's folder has copies. A file is either there
 * whole or not at all, and does not change once it is there, except that an uncommitted tail is cut off.
 */
export interface RemoteRecords {
  /** `s3://bucket/prefix`, for messages. */
  readonly url: string;
  /** Limit for copies in the folder, in bytes. */
  readonly cacheSize: number;
  /** In order of name. */
  list(): Promise<readonly { readonly file: string; readonly size: number }[]>;
  /** Asks for this one alone. */
  has(file: string): Promise<boolean>;
  /** The file at `path` is in the store when it resolves. An equal file of that name counts as put; another one is an error. */
  put(file: string, path: string, options?: { readonly replace?: boolean }): Promise<void>;
  /** Rejects with the system's ENOENT where there is no such file; returns fewer bytes where it ends sooner. */
  range(file: string, offset: number, length: number): Promise<Buffer>;
  /** Writes a copy to `path`. Also rejects with ENOENT. */
  copyTo(file: string, path: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** A small text next to the records; undefined where there is none. */
  readNote(name: string): Promise<string | undefined>;
  /** False where `ifAbsent` is set and the store already has one. */
  writeNote(name: string, text: string, options?: { readonly ifAbsent?: boolean }): Promise<boolean>;
  removeNote(name: string): Promise<void>;
  /** Names of the notes in a folder, e.g. `keys/`. */
  listNotes(folder: string): Promise<readonly string[]>;
  /**
   * Notes of this name at the places that this one lies in, as far as they may be read, and at those that lie in it: two archives
   * there would take each other's files for theirs.
   */
  notesAround(name: string): Promise<readonly { readonly url: string; readonly text: string }[]>;
  close(): void;
}

/** What is wrong with a store of records, named by what the user does next. */
export type StorageFaultKind = 'denied' | 'absent' | 'unreachable' | 'refused' | 'foreign';

export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  readonly kind: StorageFaultKind;
  constructor(kind: StorageFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
