/** Facts of one page, without duplicates; beyond this many they are only counted. */
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
