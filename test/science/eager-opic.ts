/** On-line importance by its definition: every payment and every release is made to each page at once. */
export class EagerOpic {
  readonly cash = new Map<number, number>();
  readonly history = new Map<number, number>();
  readonly relevance = new Map<number, number>();
  readonly read = new Set<number>();
  readonly merged = new Map<number, number>();
  virtual = 1;
  virtualHistory = 0;
  handedOn = 0;
  weight = 1;
  readonly #window: number;

  constructor(window: number) {
    this.#window = window;
  }

  visit(page: number, links: readonly number[]): void {
    this.merged.delete(page);
    this.#know(page);
    this.read.add(page);
    const targets = new Set(links.map((link) => this.#resolve(link)).filter((target) => target !== page));
    for (const target of targets) this.#know(target);
    const mine = this.#take(page);
    this.weight *= Math.exp(mine / this.#window);
    const given = targets.size === 0 ? 0 : 0.85 * mine;
    for (const target of targets) this.#add(this.cash, target, given / targets.size);
    this.virtual += mine - given;
    this.#pay();
  }

  merge(page: number, target: number): void {
    const into = this.#resolve(target);
    if (into === page) return;
    if (this.cash.has(page)) this.#know(into);
    for (const money of [this.cash, this.history]) {
      if (money.has(page)) this.#add(money, into, money.get(page) ?? 0);
      money.delete(page);
    }
    this.read.delete(page);
    this.merged.set(page, into);
  }

  setRelevance(page: number, relevance: number): void {
    this.#know(this.#resolve(page));
    this.relevance.set(this.#resolve(page), Math.fround(relevance));
  }

  release(): void {
    for (const page of this.cash.keys()) if (!this.read.has(page)) this.virtual += this.#take(page);
    this.#pay();
  }

  importance(page: number): number {
    const mine = (this.history.get(page) ?? 0) + this.weight * (this.cash.get(page) ?? 0);
    return mine / (this.handedOn - this.virtualHistory + this.weight * (1 - this.virtual));
  }

  #take(page: number): number {
    const mine = this.cash.get(page) ?? 0;
    this.cash.set(page, 0);
    this.#add(this.history, page, this.weight * mine);
    this.handedOn += this.weight * mine;
    return mine;
  }

  #pay(): void {
    const pages = [...this.cash.keys()];
    const relevance = (page: number): number => this.relevance.get(page) ?? 1;
    const all = pages.reduce((sum, page) => sum + relevance(page), 0);
    if (all <= 0) return;
    const paid = this.virtual;
    this.virtual = 0;
    this.virtualHistory += this.weight * paid;
    this.handedOn += this.weight * paid;
    for (const page of pages) this.#add(this.cash, page, (paid * relevance(page)) / all);
  }

  #know(page: number): void {
    if (!this.cash.has(page)) this.cash.set(page, 0);
  }

  #resolve(page: number): number {
    let at = page;
    for (let next = this.merged.get(at); next !== undefined; next = this.merged.get(at)) at = next;
    return at;
  }

  #add(money: Map<number, number>, page: number, amount: number): void {
    money.set(page, (money.get(page) ?? 0) + amount);
  }
}
