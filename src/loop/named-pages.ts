/** URLs remembered: some 100 bytes each. */
const MOST = 100_000;

/**
 * Pages that visits of this crawl have handed to the frontier. Nearly every link of a page leads to one of them, and changes
 * nothing: the frontier keeps the first to name it. Forgets what it likes, since the frontier knows.
 */
export class NamedPages {
  #young = new Set<string>();
  #old = new Set<string>();

  has(url: string): boolean {
    return this.#young.has(url) || this.#old.has(url);
  }

  add(url: string): void {
    if (this.#young.size >= MOST / 2) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(url);
  }
}
