import type { Millis } from './time.ts';

/** What a worker takes from the queue. */
export const WORKER_ROLES = ['capture', 'analyse'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

/** A process that writes to a shared catalog beside others. */
export interface WorkerFact {
  /** Given when it joins, and never again: a worker whose number is gone can commit nothing any more. */
  readonly id: number;
  readonly machine: string;
  readonly process: number;
  /** Of Daguerre. */
  readonly version: string;
  readonly roles: readonly WorkerRole[];
  /** By the database's clock, as all times here. */
  readonly since: Millis;
  readonly beatAt: Millis;
  /** Grows by one with each sign of life. */
  readonly beats: number;
  /** In a sentence each. */
  readonly doing: readonly string[];
  /** Pages and resources settled since it joined. */
  readonly settled: number;
  /** Of them per second, lately. */
  readonly rate: number;
  /** Name of its connections to the database. */
  readonly connection: string;
  /** By which name it holds jobs; absent before it takes any. */
  readonly pool?: string;
}

export type NewWorker = Pick<WorkerFact, 'machine' | 'process' | 'version' | 'roles'>;

/** What a worker tells with each sign of life. */
export type SignOfLife = Pick<WorkerFact, 'doing' | 'settled' | 'rate' | 'pool'>;

/**
 * waiting → running     a worker takes its job
 * running → waiting     its piece is over, or its worker died
 * running → finished    the crawl has ended
 * running → failed      it cannot go on by itself
 * waiting, running → withdrawn   whoever handed it over wants no more of it; handed over again, it waits
 */
export const HANDED_STATES = ['waiting', 'running', 'finished', 'failed', 'withdrawn'] as const;
export type HandedState = (typeof HANDED_STATES)[number];

/** A crawl that workers do piece by piece. */
export interface HandedCrawl {
  readonly crawlId: number;
  /** All that one command handed over has one. */
  readonly batch: string;
  /** Crawls of the same queue run one after the other. */
  readonly queue: string;
  readonly state: HandedState;
  /** Who does it now. */
  readonly worker?: number;
  /** Milliseconds that its pieces took. */
  readonly ran: number;
  readonly pieces: number;
  /** As last told: pages and resources settled, URLs waiting, bytes received. */
  readonly settled: number;
  readonly waiting: number;
  readonly bytes: number;
  /** What went wrong last. */
  readonly error?: string;
}

export type HandedChange = Partial<Omit<HandedCrawl, 'crawlId' | 'worker' | 'error'>> & {
  readonly worker?: number | null;
  readonly error?: string | null;
};

/** A host whose pause goes on when it is given back. */
export interface ReturnedHost {
  readonly host: string;
  /** Milliseconds that nobody may ask it. */
  readonly pause: number;
}

/** A host that nobody else asks for now. */
export interface LeasedHost {
  readonly host: string;
  /** Milliseconds until it may be asked: what its last worker left of its pause. */
  readonly pause: number;
}
