import type { Clock } from '../ports/clock.ts';
import type { StopReason } from './site-crawl.ts';

/** Milliseconds that the visits under way have to finish when the crawl is told to stop. */
const GRACE = 2_500;

/**
 * running → stopping   by the first reason, which stays; nothing more is begun
 * stopping → given up  when the grace after a signal is over: visits under way are aborted, and wait for the next run
 */
export class StopSwitch {
  readonly #clock: Clock;
  readonly #grace: number;
  readonly #inHand = new AbortController();
  readonly #over = new AbortController();
  #reason: StopReason | undefined;

  constructor(clock: Clock, grace = GRACE) {
    this.#clock = clock;
    this.#grace = grace;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** For the visits under way. */
  get signal(): AbortSignal {
    return this.#inHand.signal;
  }

  stopFor(reason: StopReason): void {
    this.#reason ??= reason;
  }

  async interrupted(): Promise<void> {
    this.stopFor('signal');
    await this.#clock.sleep(this.#grace, this.#over.signal);
    this.#inHand.abort(new Error('the crawl was stopped'));
  }

  /** Whether a visit failed only because it was given up. */
  gaveUp(error: unknown): boolean {
    return this.signal.aborted && error === this.signal.reason;
  }

  /** Nothing is under way any more. */
  over(): void {
    this.#over.abort();
  }
}
