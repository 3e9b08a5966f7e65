/** Facts of one page, each said once; a page that causes thousands is told to have done so. */
const MOST = 200;

export class Facts {
  readonly #facts = new Set<string>();
  #dropped = 0;

  add(fact: string): void {
    if (this.#facts.size < MOST || this.#facts.has(fact)) this.#facts.add(fact);
    else this.#dropped++;
  }

  list(): string[] {
    return this.#dropped > 0 ? [...this.#facts, `and ${this.#dropped} further facts`] : [...this.#facts];
  }
}
