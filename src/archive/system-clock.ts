import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Millis } from '../model/time.ts';
import type { Clock } from '../ports/clock.ts';

/** Longest delay a Node timer takes; a longer sleep wakes early, and its caller checks the clock again. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    // A 0 ms timer fires after 1 ms at the earliest.
    if (ms <= 0) await turn();
    else await wait(Math.min(ms, LONGEST_TIMER), undefined, signal ? { signal } : {}).catch(() => {});
  },
};

/** Local time written as if it were UTC is up to 14 hours ahead. */
const DAY = 86_400_000;

/** Records cannot be dated this time or later. */
export const future = (): Millis => systemClock.now() + DAY;
