import type { Millis } from '../model/time.ts';
import type { Clock } from '../ports/clock.ts';

/** Without a reason of our own each abort makes a DOMException, with its stack: a tenth of the work of a small visit. */
const REPLACED = 'replaced';

/** One alarm at a time: a later call replaces it. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: AbortController | undefined;
  #time: Millis = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Infinity for never. */
  at(time: Millis): void {
    // Asked for after every answer and every commit: mostly it is set already.
    if (time === this.#time) return;
    this.stop();
    if (time === Number.POSITIVE_INFINITY) return;
    this.#time = time;
    const timer = new AbortController();
    this.#timer = timer;
    void this.#clock.sleep(Math.max(0, time - this.#clock.now()), timer.signal).then(() => {
      if (timer.signal.aborted) return;
      this.#time = Number.POSITIVE_INFINITY;
      this.#wake();
    });
  }

  stop(): void {
    this.#timer?.abort(REPLACED);
    this.#timer = undefined;
    this.#time = Number.POSITIVE_INFINITY;
  }
}
