/**
 * Time for crawls that nobody waits for. It stands still while there is work and leaps to the next wake-up when all sleep, so
 * that a day of polite pauses takes only as long as the work done in it, and the same crawl sees the same times on every
 * machine.
 *
 *   working   microtasks run, or work handed to `during` is under way: time stands
 *   leaping   none is left: the earliest sleeper wakes, among equals the one that went to sleep first; then working again
 */
import { setMaxListeners } from 'node:events';
import type { Millis } from '../../model/time.ts';
import type { Clock } from '../../ports/clock.ts';

export interface VirtualClock extends Clock {
  /** Time stands still until the work is done: for work that takes real time (a disk, a network) but no virtual time. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly due: Millis;
  readonly number: number;
  /** Undefined once woken. */
  wake: (() => void) | undefined;
}

export function virtualClock(start: Millis): VirtualClock {
  let time = start;
  let sleeperCount = 0;
  let working = 0;
  let leapPlanned = false;
  const sleepers = new SleeperHeap();

  function plan(): void {
    if (leapPlanned || working > 0 || sleepers.isEmpty) return;
    leapPlanned = true;
    // After all microtasks, and those that they started.
    setImmediate(leap);
  }

  function leap(): void {
    leapPlanned = false;
    if (working > 0) return;
    for (let next = sleepers.take(); next; next = sleepers.take()) {
      if (!next.wake) continue;
      time = Math.max(time, next.due);
      next.wake();
      break;
    }
    plan();
  }

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = { due: time + Math.max(0, ms), number: sleeperCount++, wake };
        function wake(): void {
          sleeper.wake = undefined;
          signal?.removeEventListener('abort', wake);
          resolve();
        }
        // Every visit in progress sleeps with the crawl's single signal.
        if (signal) setMaxListeners(0, signal);
        signal?.addEventListener('abort', wake);
        sleepers.add(sleeper);
        plan();
      }),
    async during(work) {
      working++;
      try {
        return await work;
      } finally {
        working--;
        plan();
      }
    },
  };
}

/** A binary heap: by due time, then by number. */
class SleeperHeap {
  readonly #heap: Sleeper[] = [];

  get isEmpty(): boolean {
    return this.#heap.length === 0;
  }

  add(sleeper: Sleeper): void {
    const heap = this.#heap;
    let at = heap.push(sleeper) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!precedes(sleeper, heap[parent] as Sleeper)) break;
      heap[at] = heap[parent] as Sleeper;
      at = parent;
    }
    heap[at] = sleeper;
  }

  take(): Sleeper | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && precedes(heap[child + 1] as Sleeper, heap[child] as Sleeper)) child++;
      if (!precedes(heap[child] as Sleeper, last)) break;
      heap[at] = heap[child] as Sleeper;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const precedes = (a: Sleeper, b: Sleeper): boolean =>
  a.due < b.due || (a.due === b.due && a.number < b.number);

/** A port that takes real time: virtual time stands still while any of its promises is pending. */
export function attended<P extends object>(port: P, clock: VirtualClock): P {
  const wrapped = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, name) {
      const known = wrapped.get(name);
      if (known !== undefined) return known;
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = (...args: unknown[]): unknown => {
        const result = Reflect.apply(value, target, args);
        if (result instanceof Promise) return clock.during(result);
        return isList(result) ? attendedList(result, clock) : result;
      };
      wrapped.set(name, method);
      return method;
    },
  });
}

const isList = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Time stands still while a row is fetched, but not while its reader processes it. */
async function* attendedList<T>(list: AsyncIterable<T>, clock: VirtualClock): AsyncGenerator<T> {
  const rows = list[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await clock.during(rows.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rows.return?.();
  }
}
