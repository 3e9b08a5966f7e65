/** Something that is told once, before it is asked for or after. */
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

  /** Undefined where it is not told within `ms`, or when the signal fires. */
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
