export interface KnownFile {
  readonly file: string;
  /** Bytes the catalog knows. */
  readonly length: number;
  readonly crawlId?: number;
}

/** Where the catalog knows a record of a file. */
export interface KnownRecord {
  readonly offset: number;
  readonly length: number;
  readonly recordId: string;
}

/** Which record files the catalog knows, and how to forget parts of them. */
export interface RecoveryCatalog {
  warcFiles(): Promise<readonly KnownFile[]>;
  /** Captures in a file, last one first. */
  recordsIn(file: string): AsyncIterable<KnownRecord>;
  /** Files whose records were committed once and must be indexed again: a rebuild or an import began and did not end. */
  filesToIndex(): Promise<readonly string[]>;
  /** Files that were given up as lost; they are indexed if they come back. */
  lostFiles(): Promise<readonly string[]>;
  /** Forgets captures of a file from an offset on (a crash took the tail of the file) and requeues their visits. */
  forgetTail(file: string, from: number): Promise<number>;
  /** The same for records that are lost for good: finished crawls stay as they are. */
  giveUpTail(file: string, from: number): Promise<number>;
  /**
   * Forgets everything derived from records, before `reindex` rebuilds it. Keeps crawls, frontiers and which crawl
   * wrote which file. Begins a rebuild.
   */
  clearDerived(): Promise<void>;
  /**
   * From here to `endRebuild` the catalog knows less than the records do, and is marked so: the mark survives if the
   * process is killed.
   */
  beginRebuild(): Promise<void>;
  endRebuild(): Promise<void>;
  isRebuilding(): Promise<boolean>;
}
