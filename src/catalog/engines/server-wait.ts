import { setTimeout as sleep } from 'node:timers/promises';
import { awayText } from './postgres-faults.ts';

/** How long to wait for a server that is not there, and whom to tell. */
export interface Patience {
  /** Milliseconds; 0 to try once more and then fail. */
  readonly wait: number;
  readonly tell: (sentence: string) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Milliseconds between two attempts. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** One wait for a server: tells when it begins, and when it is over. */
export class ServerWait {
  readonly #location: string;
  readonly #patience: Patience;
  readonly #start = performance.now();
  #pause = FIRST_PAUSE;
  #isTold = false;

  constructor(location: string, patience: Patience) {
    this.#location = location;
    this.#patience = patience;
  }

  get waited(): number {
    return performance.now() - this.#start;
  }

  /** Waits until it is time to try again; false where patience is over. */
  async again(why: unknown): Promise<boolean> {
    const { wait, tell, signal } = this.#patience;
    const left = wait - this.waited;
    if (left <= 0 || signal?.aborted) return false;
    if (!this.#isTold) tell(`${waitingFor(this.#location, why)}, up to ${seconds(left)}.`);
    this.#isTold = true;
    await sleep(Math.min(this.#pause, left), undefined, { signal }).catch(() => {});
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    return true;
  }

  over(): void {
    if (this.#isTold) this.#patience.tell(`The database is back after ${seconds(this.waited)}: going on.`);
  }
}

const waitingFor = (location: string, why: unknown): string =>
  `catalog ${location}: ${awayText(why).split(':')[0]}. Waiting for it`;

export const seconds = (millis: number): string =>
  millis >= 120_000 ? `${Math.round(millis / 60_000)} min` : `${Math.round(millis / 1000)} s`;
