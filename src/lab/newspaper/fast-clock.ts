/**
 * A clock that runs at any speed: newspaper time = anchor + speed × real time since the anchor. It can be paused, set
 * and advanced, so that a test can step through days without waiting.
 */
import type { Millis } from '../../model/time.ts';
import type { Clock } from '../../ports/clock.ts';

export interface FastClockOptions {
  readonly start: Millis;
  /** Newspaper seconds per real second; 3600 makes an hour pass per second; 0 stands still until told otherwise. */
  readonly speed: number;
  readonly realNow?: () => Millis;
}

export interface FastClock extends Clock {
  readonly speed: number;
  setSpeed(speed: number): void;
  pause(): void;
  resume(): void;
  set(time: Millis): void;
  /** Moves forward (or, below 0, back) at once. */
  advance(ms: number): void;
}

interface Sleeper {
  readonly due: Millis;
  readonly wake: () => void;
}

/** Node caps timers at 2^31 − 1 ms; longer sleeps check again then. */
const LONGEST_TIMER = 2_147_483_647;

export function fastClock({ start, speed: initialSpeed, realNow = Date.now }: FastClockOptions): FastClock {
  let speed = initialSpeed;
  let running = true;
  let anchor = start;
  let anchoredAt = realNow();
  let timer: NodeJS.Timeout | undefined;
  const sleepers = new Set<Sleeper>();

  // In whole milliseconds, like everything else in the model.
  const now = (): Millis => (running ? Math.floor(anchor + (realNow() - anchoredAt) * speed) : anchor);

  function reanchor(time: Millis): void {
    anchor = time;
    anchoredAt = realNow();
  }

  /** Wakes those that are due and sets one timer for the next. */
  function attend(): void {
    clearTimeout(timer);
    const time = now();
    let next = Infinity;
    for (const sleeper of sleepers) {
      if (sleeper.due <= time) sleeper.wake();
      else next = Math.min(next, sleeper.due);
    }
    if (running && speed > 0 && next < Infinity) {
      timer = setTimeout(attend, Math.min(LONGEST_TIMER, Math.max(1, Math.ceil((next - time) / speed))));
    }
  }

  function change(apply: () => void): void {
    reanchor(now());
    apply();
    attend();
  }

  return {
    now,
    get speed() {
      return speed;
    },
    setSpeed: (value) =>
      change(() => {
        if (!(value >= 0)) throw new RangeError(`the speed of a clock must be 0 or more, not ${value}`);
        speed = value;
      }),
    pause: () =>
      change(() => {
        running = false;
      }),
    resume: () =>
      change(() => {
        running = true;
      }),
    set: (time) => change(() => reanchor(time)),
    advance: (ms) => change(() => reanchor(anchor + ms)),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { due: now() + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
        attend();
      }),
  };
}
