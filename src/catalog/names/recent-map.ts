/**
 * A map that forgets what was not used lately. Two generations: when the young one is full, it becomes the
 * old one and the old one is dropped; what is read from the old one moves back to the young. Costs less per
 * read than a list in order of use. It only forgets in `trim`, so that what one batch has put in stays until
 * the batch is done: it holds at most two times `size`, and two batches.
 */
export class RecentMap<V> {
  readonly #size: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.#young.set(key, value);
  }

  trim(): void {
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
