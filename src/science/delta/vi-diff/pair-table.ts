/** Numbers for pairs of an old and a new leaf, in the order they were first set. */
export class PairTable {
  readonly #width: number;
  readonly #values = new Map<number, number>();

  /** @param width number of new leaves */
  constructor(width: number) {
    this.#width = width;
  }

  get(old: number, now: number): number | undefined {
    return this.#values.get(old * this.#width + now);
  }

  set(old: number, now: number, value: number): void {
    this.#values.set(old * this.#width + now, value);
  }

  /** Sets 0 if there is no value yet. */
  mention(old: number, now: number): void {
    const key = old * this.#width + now;
    if (!this.#values.has(key)) this.#values.set(key, 0);
  }

  forEach(visit: (old: number, now: number, value: number) => void): void {
    for (const [key, value] of this.#values) visit(Math.floor(key / this.#width), key % this.#width, value);
  }
}
