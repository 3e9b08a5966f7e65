import type { Millis } from '../src/model/time.ts';
import type { Clock } from '../src/ports/clock.ts';

/** Real milliseconds before a leap, so that what the last one woke usually gets its turn before the next. */
const BREATH = 2;

export interface LeapingClock extends Clock {
  /** Moves the clock forward, or back with a negative number, without waking anybody. */
  shift(ms: number): void;
}

/**
 * A clock for tests in which order in time matters. It stands still while requests and writes are under way and
 * leaps to the next moment that somebody sleeps for, so the times a crawl sees depend on its delays and never on
 * how busy the machine is.
 */
export function leapingClock(start: Millis): LeapingClock {
  let time = start;
  let leapPlanned = false;
  const sleepers: { due: Millis; wake: () => void }[] = [];

  function leap(): void {
    leapPlanned = false;
    sleepers.sort((a, b) => a.due - b.due);
    const next = sleepers[0];
    if (!next) return;
    time = Math.max(time, next.due);
    next.wake();
    plan();
  }

  function plan(): void {
    if (sleepers.length === 0 || leapPlanned) return;
    leapPlanned = true;
    setTimeout(leap, BREATH);
  }

  return {
    now: () => time,
    shift(ms) {
      time += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const sleeper = {
          due: time + ms,
          wake: () => {
            sleepers.splice(sleepers.indexOf(sleeper), 1);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
        plan();
      }),
  };
}
