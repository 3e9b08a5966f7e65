/**
 * The detected pages of a crawl, sorted by change rate: add one, take the k-th coldest. Equal rates keep their order of
 * arrival. A plain sorted list: up to a few hundred thousand pages, moving its tail costs less than a tree, and
 * live crawls keep theirs in the catalog.
 */
export class RateBag {
  readonly #rates: number[] = [];
  readonly #pages: number[] = [];

  get size(): number {
    return this.#rates.length;
  }

  add(page: number, rate: number): void {
    let low = 0;
    let high = this.#rates.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rates[middle] as number) <= rate) low = middle + 1;
      else high = middle;
    }
    this.#rates.splice(low, 0, rate);
    this.#pages.splice(low, 0, page);
  }

  /** Removes and returns the page of the k-th lowest rate, 0 the coldest. */
  takeAt(index: number): number {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`no page ${index} in a bag of ${this.size}`);
    this.#rates.splice(index, 1);
    return this.#pages.splice(index, 1)[0] as number;
  }
}
