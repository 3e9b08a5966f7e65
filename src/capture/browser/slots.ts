/** A fixed number of places; first come, first served. */
export class Slots {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = Math.max(1, count);
  }

  /** Resolves with the function that frees the place again. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((resolve, reject) => {
        const called = () => {
          signal?.removeEventListener('abort', aborted);
          resolve();
        };
        const aborted = () => {
          this.#queue.splice(this.#queue.indexOf(called), 1);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', aborted, { once: true });
        this.#queue.push(called);
      });
    }
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    };
  }
}
