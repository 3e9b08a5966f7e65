import type { Millis } from '../model/time.ts';

export interface Clock {
  now(): Millis;
  /** Resolves after `ms`, or at once when the signal fires. 0 lets other work have its turn. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
