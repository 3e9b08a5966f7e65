/** A value that is reported once, before or after somebody waits for it. */
import { within } from './within.ts';

export class Once<T> {
  #value: T | undefined;
  #onTold: (() => void) | undefined;

  get value(): T | undefined {
    return this.#value;
  }

  tell(value: T): void {
    this.#value = value;
    this.#onTold?.();
  }

  /** Undefined if it is not reported within `ms`, or when the signal fires. */
  async wait(ms: number, signal: AbortSignal): Promise<T | undefined> {
    if (this.#value !== undefined || signal.aborted) return this.#value;
    const told = new Promise<void>((resolve) => {
      this.#onTold = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await within(ms, told);
    return this.#value;
  }
}
