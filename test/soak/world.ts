import type { ChangingSite } from './changing-site.ts';
import type { Breach, Ledger } from './ledger.ts';
import type { LongServer } from './long-server.ts';

/** What the actions of a soak share. */
export interface World {
  readonly site: ChangingSite;
  /** The archive that everything happens to. */
  readonly ledger: Ledger;
  /** Another one, of the same site, to import from. */
  readonly other: string;
  server: LongServer;
  /** Folder for exports and throw-away archives. */
  readonly scratch: string;
  readonly random: () => number;
  readonly count: Counts;
  breach(promise: string, detail: string): void;
}

export interface Counts {
  kills: number;
  crawls: number;
  interrupts: number;
  imports: number;
  exports: number;
  reindexes: number;
  verifies: number;
  replayed: number;
}

export interface Action {
  readonly name: string;
  /** Its share of all actions. */
  readonly weight: number;
  run(world: World): Promise<void>;
}

export const PROMISE = {
  nothingLost: 'kill -9 at any moment: nothing reported is lost',
  once: 'nothing is captured twice',
  verifyClean: 'verify is clean',
  resumes: 'the same command resumes and finishes',
  exactBytes: 'the archive holds the bytes of the wire',
  rebuilt: 'everything can be rebuilt from the records',
  others: 'standard files out and in',
  message: 'faults are messages with documented exit codes, never a stack',
  served: 'serve answers while others write',
} as const;

export type { Breach };
