import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { awayText, isAway } from '../engines/postgres-faults.ts';
import { seconds } from '../engines/server-wait.ts';

/** How long to wait for a server that went away; the catalog beside it says that it waits. */
export interface QuietPatience {
  /** Milliseconds. */
  readonly wait: number;
  /** While it is opened, the catalog may be well, and only one more connection refused: then it is told here. */
  readonly tell?: (sentence: string) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Milliseconds between two attempts. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 2_000];

/** Does again what failed because the server was away: only what may be done twice. */
export async function patiently<T>(
  work: () => Promise<T>,
  { wait, signal, tell }: QuietPatience,
): Promise<T> {
  const until = performance.now() + wait;
  let isTold = tell === undefined;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || performance.now() >= until || signal?.aborted) throw error;
      if (!isTold)
        tell?.(`The queue of jobs waits, up to ${seconds(wait)}: ${awayText(error).split(':')[0]}.`);
      isTold = true;
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

/**
 * A pool that gives out a connection once there is a server that takes one. The library that uses it would print a stack for each
 * of its loops that was refused.
 */
export function patientPool(config: pg.PoolConfig, patience: QuietPatience): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = pool.connect.bind(pool);
  const patient = (callback?: Parameters<typeof connect>[0]): unknown =>
    callback ? connect(callback) : patiently(() => (pool.ending ? refused() : connect()), patience);
  pool.connect = patient as typeof pool.connect;
  return pool;
}

const refused = (): Promise<never> => Promise.reject(new Error('the queue is closed'));
