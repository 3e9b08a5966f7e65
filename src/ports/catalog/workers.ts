import type {
  HandedChange,
  HandedCrawl,
  LeasedHost,
  NewWorker,
  ReturnedHost,
  SignOfLife,
  WorkerFact,
} from '../../model/worker.ts';

/** Who writes to a catalog that several processes share, which hosts each of them asks, and what is left to do. */
export interface WorkerCatalog {
  /** From then on commits are this worker's. Whoever opens the archive alone ends that, and so does `dismiss`. */
  joinWorkers(worker: NewWorker): Promise<number>;
  /** False where the worker was dismissed. */
  giveSign(workerId: number, sign: SignOfLife): Promise<boolean>;
  /** In the order they joined. */
  workers(): Promise<readonly WorkerFact[]>;
  /** It can commit nothing from then on; what it does is for others to go on with. Hosts it asked may be asked after `pause`. */
  dismissWorkers(workerIds: readonly number[], pause?: number): Promise<void>;
  /** Those of the hosts that this worker alone may ask from now on. */
  leaseHosts(workerId: number, hosts: readonly string[]): Promise<readonly LeasedHost[]>;
  returnHosts(workerId: number, hosts: readonly ReturnedHost[]): Promise<void>;
  /** Adds crawls, or takes those that are there up again. */
  handOver(crawls: readonly Pick<HandedCrawl, 'crawlId' | 'batch' | 'queue'>[]): Promise<void>;
  handedCrawls(filter?: {
    readonly batch?: string;
    readonly crawlId?: number;
  }): Promise<readonly HandedCrawl[]>;
  /** Returns false where it stands otherwise by now: it was withdrawn, or another worker has it. */
  changeHanded(crawlId: number, change: HandedChange, onlyIf?: HandedCondition): Promise<boolean>;
}

export interface HandedCondition {
  readonly states?: readonly HandedCrawl['state'][];
  readonly worker?: number;
}
