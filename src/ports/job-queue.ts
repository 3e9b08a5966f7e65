/** A piece of a crawl for some worker to do. */
export interface PieceJob {
  readonly crawlId: number;
  /** Jobs of the same queue are done one after the other, on whatever machine. */
  readonly queue: string;
  /** Wait before it may be taken, in milliseconds; none unless given. */
  readonly pause?: number;
}

export interface TakingOptions {
  /** Jobs at a time. */
  readonly concurrency: number;
  /** Does one job. Must settle once taking is stopped. */
  readonly work: (crawlId: number) => Promise<void>;
}

/** The analyses left for a site after its crawls: see run-analysis.ts. */
export interface AnalysisTaking {
  readonly concurrency: number;
  /** Does one job; jobs of one site are done one at a time, on whatever machine. Must settle once taking is stopped. */
  readonly work: (site: string) => Promise<void>;
}

/** Takes jobs until it is stopped. */
export interface JobTaker {
  /** The name under which jobs are currently held. */
  readonly pool: string;
  /** Takes no more jobs; resolves when those in hand are done. */
  stop(): Promise<void>;
}

/** What workers are to do; complements the catalog that they share. */
export interface JobQueue {
  /** At most one job per crawl waits: adding it again only changes its time. */
  add(jobs: readonly PieceJob[]): Promise<void>;
  take(options: TakingOptions): Promise<JobTaker>;
  /** At most one job per site waits. */
  addAnalyses(sites: readonly string[]): Promise<void>;
  takeAnalyses(options: AnalysisTaking): Promise<JobTaker>;
  /** At most one job waits, and one is done at a time: adding it again does not change its time. */
  addUpkeep(pause: number): Promise<void>;
  takeUpkeep(work: () => Promise<void>): Promise<JobTaker>;
  /** Names under which jobs are held. */
  holders(): Promise<readonly string[]>;
  /** What was held under these names may be taken by others. */
  free(holders: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
