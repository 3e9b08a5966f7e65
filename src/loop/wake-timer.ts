import type { Millis } from '../model/exchange.ts';
import type { Clock } from '../ports/clock.ts';

/** One alarm at a time: a later call replaces it. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: AbortController | undefined;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Infinity for never. */
  at(time: Millis): void {
    this.stop();
    if (time === Number.POSITIVE_INFINITY) return;
    const timer = new AbortController();
    this.#timer = timer;
    void this.#clock.sleep(Math.max(0, time - this.#clock.now()), timer.signal).then(() => {
      if (!timer.signal.aborted) this.#wake();
    });
  }

  stop(): void {
    this.#timer?.abort();
    this.#timer = undefined;
  }
}
