/**
 * Relevance that flows along links, after S. Abiteboul, G. Cobéna, J. Masanès, G. Sedrati: A First Experience in
 * Archiving the French Web, ECDL 2002, §2.4 (Technical corner).
 *
 * Idea: V = X + a_1·LX + a_2·L²X + … + a_n·LⁿX. What a page is by its own criteria (X) is handed on to the pages it links
 * to, in equal parts, and by them again, n times. Nothing but a few numbers of each URL is kept: what it has received at
 * each depth, and what of it has been handed on. Whoever crawls tells each page as it is read; what arrives at a page that
 * was read before waits there until `settle`, which asks for the links of just these pages. They stay where the archive
 * keeps them: the graph is never in memory.
 *
 *   X, L        `own` of `read`; 1 / (number of other pages linked to), along links (see below)
 *   (LᵏX)_p     `received(p)[k − 1].relevance`
 *   (Lᵏ1)_p     `received(p)[k − 1].mass`
 *   V_p         `value(p, [a_1, …, a_n])`
 *
 * Exact: after `settle` with tolerance 0, V is the matrix formula over the pages read, whatever their order
 * (propagation.test.ts). Before, the sum of |error| over all pages of each LᵏX is at most `unsent`: no step of L makes a
 * sum larger, since a page hands on what it has at most once.
 *
 * Readings and departures:
 * - The paper defines L[i, j] = 1/out(i) for a link i → j, and then calls PageRank the limit of LⁿX, which holds for its
 *   transpose: values flow along links here, as in OPIC. Only so is anything known of a page that was not read.
 * - Lᵏ1 is carried along. LᵏX alone grows with the number of links: a page that the whole world links to would enter every
 *   perimeter. `mean` is LᵏX / Lᵏ1, the relevance of the pages from which one comes in k clicks, and that is what
 *   verdicts use (verdict.ts).
 * - Links of a page to itself are left out, a link counts once however often it stands on the page, and a page without
 *   links hands nothing on.
 *
 * Cost: 4n numbers a URL; a read costs n additions a link; `settle` at most n − 1 further passes over the links of the
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
  /** Likewise, 0 … n − 1: what has been handed on. */
  #sent: Float64Array;
  #pages = 0;
  /** Pages that were read and have received something since they handed on. */
  #waiting = new Set<number>();

  constructor(depth: number) {
    if (!Number.isInteger(depth) || depth < 0)
      throw new RangeError(`a depth is a whole number >= 0, not ${depth}`);
    this.depth = depth;
    this.#held = new Float64Array(0);
    this.#sent = new Float64Array(0);
  }

  /** URLs that anything is known of. */
  get pages(): number {
    return this.#pages;
  }

  /**
   * The page was read: what it is by its own criteria, and which pages it links to. When it was read before, `before` are the
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

  /** Hands on what waits at pages that were read before, until no page holds back more than `tolerance`. */
  settle(linksOf: (page: number) => PageLinks, tolerance = 0): void {
    const kept = new Set<number>();
    for (let round = 1; round < this.depth; round++) {
      const now = this.#waiting;
      this.#waiting = new Set();
      for (const page of now) {
        if (this.#unsentAt(page) > tolerance) this.#handOn(page, linksOf(page));
        else kept.add(page);
      }
    }
    for (const page of kept) this.#waiting.add(page);
  }

  /** Pages where something waits, those where the most does first. */
  waiting(): number[] {
    const held = [...this.#waiting].map((page) => ({ page, unsent: this.#unsentAt(page) }));
    return held.sort((a, b) => b.unsent - a.unsent).map(({ page }) => page);
  }

  /** Hands on what waits at this page, along the links it has. */
  release(page: number, links: PageLinks): void {
    if (this.#waiting.has(page)) this.#handOn(page, links);
  }

  /** What waits, relevance and mass in absolute values: by so much LᵏX and Lᵏ1 may be wrong, all pages together. */
  get unsent(): number {
    let sum = 0;
    for (const page of this.#waiting) sum += this.#unsentAt(page);
    return sum;
  }

  /** At depths 1 … n. */
  received(page: number): readonly Received[] {
    return Array.from({ length: this.depth }, (_, k) => {
      const at = 2 * (page * (this.depth + 1) + k + 1);
      return { relevance: this.#held[at] ?? 0, mass: this.#held[at + 1] ?? 0 };
    });
  }

  /** LᵏX / Lᵏ1 at depths 1 … n: 0 where nobody comes from that far. */
  means(page: number): number[] {
    const means: number[] = [];
    for (let k = 1; k <= this.depth; k++) {
      const at = 2 * (page * (this.depth + 1) + k);
      const mass = this.#held[at + 1] ?? 0;
      // Taken back and given again, a mass may be a rounding error away from nothing.
      means.push(mass > 1e-12 ? (this.#held[at] as number) / mass : 0);
    }
    return means;
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
  }

  #handOn(page: number, links: PageLinks): void {
    this.#waiting.delete(page);
    const parts = others(page, links);
    const from = page * 2 * (this.depth + 1);
    const sent = page * 2 * this.depth;
    const amounts = new Float64Array(2 * this.depth);
    for (let j = 0; j < amounts.length; j++) {
      amounts[j] = (this.#held[from + j] as number) - (this.#sent[sent + j] as number);
      this.#sent[sent + j] = this.#held[from + j] as number;
    }
    this.#give(parts, amounts);
  }

  #takeBack(page: number, links: PageLinks): void {
    const sent = page * 2 * this.depth;
    const amounts = this.#sent.slice(sent, sent + 2 * this.depth).map((amount) => -amount);
    this.#sent.fill(0, sent, sent + 2 * this.depth);
    this.#give(others(page, links), amounts);
  }

  /** `amounts[2k]`, `amounts[2k + 1]`: relevance and mass of depth k, which arrive at depth k + 1. */
  #give(pages: ReadonlySet<number>, amounts: Float64Array): void {
    if (pages.size === 0 || amounts.every((amount) => amount === 0)) return;
    for (const page of pages) {
      this.#reach(page);
      const at = 2 * (page * (this.depth + 1) + 1);
      for (let j = 0; j < amounts.length; j++)
        this.#held[at + j] = (this.#held[at + j] as number) + (amounts[j] as number) / pages.size;
      // What arrives at the last depth goes no further; what arrives at a page not read yet goes with its own.
      if (this.depth > 1 && this.#held[at - 1] === 1) this.#waiting.add(page);
    }
  }

  #unsentAt(page: number): number {
    const from = page * 2 * (this.depth + 1);
    const sent = page * 2 * this.depth;
    let sum = 0;
    for (let j = 0; j < 2 * this.depth; j++)
      sum += Math.abs((this.#held[from + j] as number) - (this.#sent[sent + j] as number));
    return sum;
  }
}

function others(page: number, links: PageLinks): Set<number> {
  const set = new Set(links);
  set.delete(page);
  return set;
}

function grown(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(values);
  return larger;
}
