/** Window for the rate, in milliseconds. */
const WHILE = 60_000;

/** How much was done, and how fast lately. */
export class WorkRate {
  readonly #now: () => number;
  readonly #startedAt: number;
  /** Within the window. */
  #times: number[] = [];
  count = 0;

  /** @param now in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  add(): void {
    this.count++;
    this.#times.push(this.#now());
  }

  perSecond(): number {
    const now = this.#now();
    this.#times = this.#times.filter((at) => now - at < WHILE);
    const span = Math.min(WHILE, now - this.#startedAt);
    return span > 0 ? (1_000 * this.#times.length) / span : 0;
  }
}
