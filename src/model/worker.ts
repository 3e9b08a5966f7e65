import type { AlertRule } from './alert.ts';
import type { SeedScope } from './crawl.ts';
import type { Millis } from './time.ts';
import type { VisitLesson } from './visit-lesson.ts';

/**
 * What a worker takes from the queue:
 *   capture   pieces of crawls
 *   analyse   layouts and deltas that crawls left for later, and what is learnt of a site
 *   index     upkeep that all readers benefit from: merging small record files, keeping the search index current
 */
export const WORKER_ROLES = ['capture', 'analyse', 'index'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

/** One of several processes that write to a shared catalog. */
export interface WorkerFact {
  /** Assigned when it joins, and never reused: a worker whose number is gone can no longer commit anything. */
  readonly id: number;
  readonly machine: string;
  readonly process: number;
  /** Of Daguerre. */
  readonly version: string;
  readonly roles: readonly WorkerRole[];
  /** By the database's clock, like all times here. */
  readonly since: Millis;
  readonly beatAt: Millis;
  /** Grows by one with each sign of life. */
  readonly beats: number;
  /** One sentence each. */
  readonly doing: readonly string[];
  /** Pages and resources settled since it joined. */
  readonly settled: number;
  /** How many of them per second, lately. */
  readonly rate: number;
  /** Milliseconds without a sign of life after which it replaces others; absent of one that comes and goes. */
  readonly silence?: Millis;
  /** Name of its connections to the database. */
  readonly connection: string;
  /** Names under which it holds jobs; absent before it takes any. */
  readonly pools?: readonly string[];
}

export type NewWorker = Pick<WorkerFact, 'machine' | 'process' | 'version' | 'roles' | 'silence'>;

/** What a worker reports with each sign of life. */
export type SignOfLife = Pick<WorkerFact, 'doing' | 'settled' | 'rate' | 'pools'>;

/**
 * waiting → running     a worker takes its job
 * running → waiting     its piece is over, or its worker died
 * running → finished    the crawl has ended
 * running → failed      it cannot continue by itself
 * waiting, running → withdrawn   withdrawn by those who handed it over; if handed over again, it waits
 */
export const HANDED_STATES = ['waiting', 'running', 'finished', 'failed', 'withdrawn'] as const;
export type HandedState = (typeof HANDED_STATES)[number];

/** A crawl that workers do piece by piece. */
export interface HandedCrawl {
  readonly crawlId: number;
  /** Shared by everything that one command handed over. */
  readonly batch: string;
  /** Crawls of the same queue run one after the other. */
  readonly queue: string;
  readonly state: HandedState;
  /** The worker that has it now. */
  readonly worker?: number;
  /** Total time of its pieces, in milliseconds. */
  readonly ran: number;
  readonly pieces: number;
  /** As last reported: pages and resources settled, URLs waiting, bytes received. */
  readonly settled: number;
  readonly waiting: number;
  readonly bytes: number;
  /** The last thing that went wrong. */
  readonly error?: string;
}

export type HandedChange = Partial<Omit<HandedCrawl, 'crawlId' | 'worker' | 'error'>> & {
  readonly worker?: number | null;
  readonly error?: string | null;
};

/** What a worker must know of a crawl that a watch has handed over, beside its settings: it stands in the file of the watch. */
export interface CrawlBrief {
  /** Of a round, which has no seeds: how far the pages of its site reach. */
  readonly scope?: { readonly seeds: readonly string[]; readonly seedScopes: readonly SeedScope[] };
  /** What people want to be told of. */
  readonly rules: readonly AlertRule[];
}

/** A visit that a worker stored, and that the watch has not learnt from. */
export interface UnlearntVisit {
  readonly id: number;
  readonly crawlId: number;
  readonly lesson: VisitLesson;
}

/** A host whose pause continues when it is returned. */
export interface ReturnedHost {
  readonly host: string;
  /** Milliseconds during which nobody may ask it. */
  readonly pause: number;
}

/** A host that no other worker may ask for now. */
export interface LeasedHost {
  readonly host: string;
  /** Milliseconds until it may be asked: what its last worker left of its pause. */
  readonly pause: number;
}

/** A page with versions that wait to be analysed. */
export interface WaitingPage {
  readonly url: string;
  /** How often one was queued: the page is done only if the number is still the same afterwards. */
  readonly times: number;
}

/** Pages of a site that wait to be analysed. */
export interface WaitingSite {
  readonly site: string;
  readonly pages: number;
}

/**
 * waiting → taken            the process with the tick starts on it
 * taken → done | failed      it has ended
 * waiting → (gone)           the asker stopped waiting
 */
export type AskedState = 'waiting' | 'taken' | 'done' | 'failed';

/** What a process on another machine asks of the one that has the tick of the watch. */
export interface Asked {
  readonly id: number;
  /** Name of the request. */
  readonly ask: string;
  readonly input: unknown;
}

/** The outcome: a result, or the error as it is sent. */
export interface AskedAnswer {
  readonly state: AskedState;
  readonly answer?: unknown;
}
