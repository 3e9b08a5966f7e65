/**
 * Relevance that flows along links, after S. Abiteboul, G. Cobéna, J. Masanès, G. Sedrati: A First Experience in
 * Archiving the French Web, ECDL 2002, §2.4 (Technical corner).
 *
 * Idea: V = X + a_1·LX + a_2·L²X + … + a_n·LⁿX. What a page is by its own criteria (X) is handed on to the pages it links
 * to, in equal parts, and by them again, n times. Only a few numbers are kept per URL: what it has received at
 * each depth, and how much of that has been handed on. The caller reports each page as it is read; what arrives at a page
 * already read waits there until `settle`, which asks for the links of just these pages. They stay where the archive
 * keeps them: the graph is never in memory.
 *
 *   X, L        `own` of `read`; 1 / (number of other pages linked to), along links (see below)
 *   (LᵏX)_p     `received(p)[k − 1].relevance`
 *   (Lᵏ1)_p     `received(p)[k − 1].mass`
 *   V_p         `value(p, [a_1, …, a_n])`
 *
 * Exact: after `settle` with tolerance 0, V is the matrix formula over the pages read, whatever their order
 * (propagation.test.ts). Before that, the sum of |error| over all pages of each LᵏX is at most `unsent`: no step of L makes a
 * sum larger, since a page hands on what it has at most once.
 *
 * Readings and departures:
 * - The paper defines L[i, j] = 1/out(i) for a link i → j, and then calls PageRank the limit of LⁿX, which holds for its
 *   transpose: here values flow along links, as in OPIC. Otherwise nothing would be known of a page that was not read.
 * - Lᵏ1 is carried along. LᵏX alone grows with the number of links: a page that the whole world links to would enter every
 *   perimeter. `mean` is LᵏX / Lᵏ1, the relevance of the pages that lead here in k clicks, and that is what
 *   verdicts use (verdict.ts).
 * - Links of a page to itself are left out, a link counts once however often it occurs on the page, and a page without
 *   links hands nothing on.
 *
 * Cost: 4n + 3 numbers per URL; a read costs n additions per link; `settle` at most n − 1 further passes over the links of the
 * pages where something waits.
 */
export interface Received {
  /** (LᵏX)_p. */
  readonly relevance: number;
  /** (Lᵏ1)_p. */
  readonly mass: number;
}

/** Pages are numbered from 0 by the caller. */
export type PageLinks = readonly number[];

export class Propagation {
  readonly depth: number;
  /** By page and depth 0 … n: relevance and mass; at depth 0 the page's own X, and 1 once it was read. */
  #held: Float64Array;
  /** The same for 0 … n − 1: what has been handed on. */
  #sent: Float64Array;
  #pages = 0;
  /** By page: the turn in which it was last met among the links of a page. */
  #met: Uint32Array;
  #turn = 0;
  /** What is being handed on: relevance and mass of depths 0 … n − 1, which arrive at 1 … n. */
  readonly #amounts: Float64Array;

  constructor(depth: number) {
    if (!Number.isInteger(depth) || depth < 0)
      throw new RangeError(`a depth is a whole number >= 0, not ${depth}`);
    this.depth = depth;
    this.#held = new Float64Array(0);
    this.#sent = new Float64Array(0);
    this.#met = new Uint32Array(0);
    this.#amounts = new Float64Array(2 * depth);
  }

  /** Number of URLs that anything is known of. */
  get pages(): number {
    return this.#pages;
  }

  /**
   * The page was read: what it is by its own criteria, and which pages it links to. If it was read before, `before` are the
   * links it had then: what went along them is taken back.
   */
  read(page: number, own: number, links: PageLinks, before?: PageLinks): void {
    this.#reach(page);
    if (before) this.#takeBack(page, before);
    const at = page * 2 * (this.depth + 1);
    this.#held[at] = own;
    this.#held[at + 1] = 1;
    this.#handOn(page, links);
  }

  /** Hands on what waits at pages already read, until no page holds back more than `tolerance`. */
  settle(linksOf: (page: number) => PageLinks, tolerance = 0): void {
    for (let round = 1; round < this.depth; round++)
      for (const page of this.waiting())
        if (this.#unsentAt(page) > tolerance) this.#handOn(page, linksOf(page));
  }

  /**
   * Pages where something waits, the largest amounts first. Found by a scan over all pages: this is called only now and then, while
   * a set of them would have to be maintained at every link.
   */
  waiting(): number[] {
    const held: { readonly page: number; readonly unsent: number }[] = [];
    for (let page = 0; page < this.#pages; page++) {
      const unsent = this.#unsentAt(page);
      if (unsent > 0) held.push({ page, unsent });
    }
    return held.sort((a, b) => b.unsent - a.unsent).map(({ page }) => page);
  }

  /** Hands on what waits at this page, along the links it has. */
  release(page: number, links: PageLinks): void {
    if (this.#unsentAt(page) > 0) this.#handOn(page, links);
  }

  /** `page` redirects to `into`: what it has received belongs to `into`, which hands it on. `page` itself was not read. */
  merge(page: number, into: number): void {
    this.#reach(Math.max(page, into));
    const width = 2 * (this.depth + 1);
    for (let j = 2; j < width; j++) {
      const at = into * width + j;
      this.#held[at] = (this.#held[at] as number) + (this.#held[page * width + j] as number);
      this.#held[page * width + j] = 0;
    }
  }

  /** What waits, relevance and mass in absolute values: the largest error of LᵏX and Lᵏ1, over all pages together. */
  get unsent(): number {
    let sum = 0;
    for (let page = 0; page < this.#pages; page++) sum += this.#unsentAt(page);
    return sum;
  }

  /** At depths 1 … n. */
  received(page: number): readonly Received[] {
    return Array.from({ length: this.depth }, (_, k) => {
      const at = 2 * (page * (this.depth + 1) + k + 1);
      return { relevance: this.#held[at] ?? 0, mass: this.#held[at + 1] ?? 0 };
    });
  }

  /** LᵏX / Lᵏ1 at depths 1 … n: 0 where no page leads here in that many clicks. */
  means(page: number): number[] {
    const means: number[] = [];
    for (let k = 1; k <= this.depth; k++) {
      const at = 2 * (page * (this.depth + 1) + k);
      means.push(this.isReached(page, k) ? (this.#held[at] as number) / (this.#held[at + 1] as number) : 0);
    }
    return means;
  }

  /** Whether some page leads here in this many clicks. */
  isReached(page: number, clicks: number): boolean {
    // After amounts are taken back and given again, a mass may be a rounding error away from 0.
    return (this.#held[2 * (page * (this.depth + 1) + clicks) + 1] ?? 0) > 1e-12;
  }

  /** V of the paper. */
  value(page: number, coefficients: readonly number[]): number {
    return this.received(page).reduce(
      (sum, { relevance }, k) => sum + (coefficients[k] ?? 0) * relevance,
      this.#held[page * 2 * (this.depth + 1)] ?? 0,
    );
  }

  #reach(page: number): void {
    if (page < this.#pages) return;
    this.#pages = page + 1;
    const width = 2 * (this.depth + 1);
    if (this.#pages * width <= this.#held.length) return;
    const room = Math.max(2 * (this.#held.length / width), this.#pages, 64);
    this.#held = grown(this.#held, room * width);
    this.#sent = grown(this.#sent, room * (width - 2));
    const met = new Uint32Array(room);
    met.set(this.#met);
    this.#met = met;
  }

  #handOn(page: number, links: PageLinks): void {
    const width = 2 * this.depth;
    const held = this.#held;
    const given = this.#sent;
    const amounts = this.#amounts;
    const from = page * (width + 2);
    const sent = page * width;
    for (let j = 0; j < width; j++) {
      const has = held[from + j] as number;
      amounts[j] = has - (given[sent + j] as number);
      given[sent + j] = has;
    }
    this.#give(page, links);
  }

  #takeBack(page: number, links: PageLinks): void {
    const width = 2 * this.depth;
    const sent = page * width;
    for (let j = 0; j < width; j++) this.#amounts[j] = -(this.#sent[sent + j] as number);
    this.#sent.fill(0, sent, sent + width);
    this.#give(page, links);
  }

  /** Gives `#amounts`, in equal parts, to the pages that this one links to, each once and excluding itself. */
  #give(page: number, links: PageLinks): void {
    if (links.length === 0) return;
    const others = this.#others(page, links);
    const held = this.#held;
    const amounts = this.#amounts;
    const width = 2 * this.depth;
    for (let j = 0; j < width; j++) amounts[j] = (amounts[j] as number) / others.length;
    for (const other of others) {
      const at = other * (width + 2) + 2;
      for (let j = 0; j < width; j++) held[at + j] = (held[at + j] as number) + (amounts[j] as number);
    }
  }

  /** For a page that was read; at others nothing waits: what they hold is handed on with their own when they are read. */
  #unsentAt(page: number): number {
    const width = 2 * this.depth;
    const from = page * (width + 2);
    const sent = page * width;
    if (this.#held[from + 1] !== 1) return 0;
    let sum = 0;
    for (let j = 0; j < width; j++)
      sum += Math.abs((this.#held[from + j] as number) - (this.#sent[sent + j] as number));
    return sum;
  }

  /** Also makes room for all of them. */
  #others(page: number, links: PageLinks): number[] {
    const turn = ++this.#turn;
    this.#met[page] = turn;
    const others: number[] = [];
    for (const link of links) {
      if (link >= this.#pages) this.#reach(link);
      if (this.#met[link] === turn) continue;
      this.#met[link] = turn;
      others.push(link);
    }
    return others;
  }
}

function grown(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(values);
  return larger;
}
