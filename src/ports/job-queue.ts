/** A piece of a crawl that some worker is to do. */
export interface PieceJob {
  readonly crawlId: number;
  /** Jobs of the same queue are done one after the other, wherever. */
  readonly queue: string;
  /** Milliseconds to wait before it is taken; none unless given. */
  readonly pause?: number;
}

export interface TakingOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  /** Does one. It must settle once the taking is stopped. */
  readonly work: (crawlId: number) => Promise<void>;
}

/** Jobs being taken. */
export interface JobTaker {
  /** The name by which jobs are held now. */
  readonly pool: string;
  /** Takes no more; resolves when those in hand are done. */
  stop(): Promise<void>;
}

/** What workers are to do, beside the catalog that they share. */
export interface JobQueue {
  /** One job per crawl waits at a time: adding it again changes nothing but its time. */
  add(jobs: readonly PieceJob[]): Promise<void>;
  take(options: TakingOptions): Promise<JobTaker>;
  /** Names under which jobs are held. */
  holders(): Promise<readonly string[]>;
  /** What was held under these names may be taken by others. */
  free(holders: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
