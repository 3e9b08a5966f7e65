import type { Millis } from '../../model/time.ts';
import type {
  Asked,
  AskedAnswer,
  CrawlBrief,
  HandedChange,
  HandedCrawl,
  LeasedHost,
  NewWorker,
  ReturnedHost,
  SignOfLife,
  UnlearntVisit,
  WaitingPage,
  WaitingSite,
  WorkerFact,
} from '../../model/worker.ts';

/** Who writes to a catalog that several processes share, which hosts each of them asks, and what is left to do. */
export interface WorkerCatalog {
  /**
   * From then on, commits are made as this worker. That ends when somebody opens the archive alone, or with
   * `dismissWorkers`.
   */
  joinWorkers(worker: NewWorker): Promise<number>;
  /** False where the worker was dismissed. */
  giveSign(workerId: number, sign: SignOfLife): Promise<boolean>;
  /** In the order they joined. */
  workers(): Promise<readonly WorkerFact[]>;
  /**
   * They can commit nothing from then on, and others take over their work. Hosts they asked may be asked after `pause`,
   * or after the pause that they had noted, if that is longer.
   */
  dismissWorkers(workerIds: readonly number[], pause?: number): Promise<void>;
  /** Returns those of the hosts that only this worker may ask from now on. */
  leaseHosts(workerId: number, hosts: readonly string[]): Promise<readonly LeasedHost[]>;
  /** For hosts that it continues to ask: after its death, others wait for what is left of these pauses. */
  notePauses(workerId: number, hosts: readonly ReturnedHost[]): Promise<void>;
  returnHosts(workerId: number, hosts: readonly ReturnedHost[]): Promise<void>;
  /** Adds crawls, or reopens those that are already there. */
  handOver(crawls: readonly HandingOver[]): Promise<void>;
  /** Undefined where no watch has handed it over. */
  brief(crawlId: number): Promise<CrawlBrief | undefined>;
  /** Whoever handed them over has received everything that came of them. */
  forgetHanded(crawlIds: readonly number[]): Promise<void>;
  /** In commit order. */
  unlearntVisits(query: UnlearntQuery): Promise<readonly UnlearntVisit[]>;
  /** Where and when all of them were. */
  unlearntPages(): Promise<readonly UnlearntPage[]>;
  /** In the order of their ids. */
  handedCrawls(filter?: HandedFilter): Promise<readonly HandedCrawl[]>;
  /** Pages of one site, at most `limit`: those that became known first. */
  waitingPages(site: string, limit: number): Promise<readonly WaitingPage[]>;
  waitingSites(): Promise<readonly WaitingSite[]>;
  /** They were analysed. A page that got another version in the meantime keeps waiting. */
  settleWaiting(pages: readonly WaitingPage[]): Promise<void>;
  /** Returns false where its state no longer matches: it was withdrawn, or another worker has it. */
  changeHanded(crawlId: number, change: HandedChange, onlyIf?: HandedCondition): Promise<boolean>;
  /**
   * Only one worker can have the tick of the watch: false where another has it, who has neither left nor been
   * dismissed.
   */
  takeTick(workerId: number): Promise<boolean>;
  tickHolder(): Promise<WorkerFact | undefined>;
  /**
   * False, with nothing done, where others share the catalog; processes that want to join them wait until the
   * work is done.
   */
  whileAlone(work: () => Promise<void>): Promise<boolean>;
  /** What a watch must not forget; in the same transaction, the visits it is based on stop being unlearnt. */
  keepWatch(note: string, learnt?: readonly number[]): Promise<void>;
  keptWatch(): Promise<string | undefined>;
  /** A request from another machine to the holder of the tick. */
  addAsked(asked: Omit<Asked, 'id'>): Promise<number>;
  /**
   * The oldest waiting one; nobody else takes it. Requests older than `forgetAfter` milliseconds, which nobody waits
   * for any longer, are removed.
   */
  takeAsked(forgetAfter: number): Promise<Asked | undefined>;
  answerAsked(id: number, answer: AskedAnswer): Promise<void>;
  /** Undefined where it has been removed. */
  askedAnswer(id: number): Promise<AskedAnswer | undefined>;
  /** The asker has the answer, or no longer waits. */
  forgetAsked(id: number): Promise<void>;
}

export interface HandingOver extends Pick<HandedCrawl, 'crawlId' | 'batch' | 'queue'> {
  /** From a watch, which learns from the visits of the crawl. */
  readonly brief?: CrawlBrief;
}

export interface UnlearntQuery {
  /** All crawls unless given. */
  readonly crawls?: readonly number[];
  /** Only those with a higher id. */
  readonly after?: number;
  readonly limit: number;
}

export interface UnlearntPage {
  readonly id: number;
  readonly url: string;
  readonly at: Millis;
}

/** Those that fit all that is given. */
export interface HandedFilter {
  readonly batch?: string;
  readonly states?: readonly HandedCrawl['state'][];
  readonly crawlIds?: readonly number[];
}

export interface HandedCondition {
  readonly states?: readonly HandedCrawl['state'][];
  readonly worker?: number;
}
