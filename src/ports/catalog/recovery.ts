export interface WarcFile {
  readonly file: string;
  /** Bytes the catalog knows. */
  readonly length: number;
  readonly crawlId?: number;
}

/** Which record files the catalog knows, and what to forget of them. */
export interface RecoveryCatalog {
  warcFiles(): Promise<readonly WarcFile[]>;
  /** Files whose records were committed once and must be indexed again: a rebuild or an import began and did not end. */
  filesToIndex(): Promise<readonly string[]>;
  /** Forgets captures of a file at or past an offset (the file lost its tail) and requeues their visits. */
  forgetTail(file: string, from: number): Promise<number>;
  /** Forgets everything derived from records, before `reindex` rebuilds it. Crawls, frontiers and which crawl wrote a file stay. */
  clearDerived(): Promise<void>;
}
