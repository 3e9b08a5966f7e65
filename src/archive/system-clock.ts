import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';

/** Longest delay a Node timer takes; a longer sleep wakes early, and its caller looks at the clock again. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    // A timer of 0 ms fires after 1 at the soonest.
    if (ms <= 0) await turn();
    else await wait(Math.min(ms, LONGEST_TIMER), undefined, signal ? { signal } : {}).catch(() => {});
  },
};
