import type { Millis } from '../model/time.ts';

export interface Clock {
  now(): Millis;
  /** Resolves after `ms`, or at once when the signal fires. 0 yields to other work. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
