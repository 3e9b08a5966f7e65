/**
 * On-line page importance (S. Abiteboul, M. Preda, G. Cobéna: *Adaptive On-Line Page Importance Computation*, WWW 2003;
 * used by the French web 2002, § 3): importance while the pages are read, without a graph.
 *
 * Every page holds cash, which sums to 1. A page that is read writes its cash down in its history and hands it to
 * the pages it links to. The page that got most is most important. In whatever order pages are read, the histories approach
 * the fixpoint of the link matrix, with an error of at most 2 ÷ all that was ever handed on.
 *
 * | paper | here |
 * | --- | --- |
 * | C[i], H[i] | `#cash`, `#history`: the two numbers of a page |
 * | G | `total`: cash handed on so far, old cash counting less |
 * | X = (H + C) ÷ (G + 1) | `importance` |
 * | virtual page | page 0; all cash starts there |
 * | T, the window | `window`, in units of all cash: the history of about that many rounds over the pages |
 *
 * Departures:
 * - A page hands 1 − damping of its cash to the virtual page, not an equal share with its links: the fixpoint is
 *   PageRank's, and a page with many links owes the web as much as one with few.
 * - The window forgets exponentially: cash handed on at G weighs e^(G/T). The paper keeps a third number, the time of the
 *   last visit, to interpolate by; growing weights need none. The bound still holds, with the effective total
 *   in place of G: by summation by parts, |XL − X| ≤ 2 ÷ `total`.
 * - The virtual page pays when it holds a tenth of all cash, since it pays every page: this spreads the cost over as
 *   many visits.
 *
 * Cost: a visit takes one step per link; all pages together one step per tenth of the cash that reaches the virtual page.
 */
import { MergedPages } from './merged-pages.ts';
import { DAMPING } from './page-rank.ts';
import { payPages } from './virtual-page.ts';

export interface OpicOptions {
  readonly damping?: number;
  /** Infinity forgets nothing, like the paper's first algorithm. */
  readonly window?: number;
}

/** State kept between two runs: continuing from it gives, to the last digit, the same as if there had been no break. */
export interface OpicState {
  /** Of the virtual page, then of page 0, 1, … */
  readonly cash: Float64Array;
  /** In the money of `weight`; history ÷ weight is in today's. */
  readonly history: Float64Array;
  readonly handedOn: number;
  readonly weight: number;
  readonly visits: number;
  readonly merged: readonly (readonly [page: number, into: number])[];
  /** Absent where all are 1. */
  readonly relevance?: Float64Array;
  /** Absent where no page has a site. */
  readonly siteOf?: Int32Array;
}

/** Between the paper's 5 and 10 rounds. */
export const DEFAULT_WINDOW = 8;

const VIRTUAL = 0;
/** Cash at which the virtual page pays. */
const PAY_FROM = 0.1;
/** e^(G/T) beyond which history is rescaled to smaller money: far below the largest float. */
const LARGEST_WEIGHT = 1e100;
/** Number of visits after which rounding errors are removed from the cash again. */
const BALANCE_EVERY = 1 << 20;

export class Opic {
  readonly #damping: number;
  readonly #window: number;
  #cash = new Float64Array(64);
  #history = new Float64Array(64);
  #relevance: Float64Array | undefined;
  #siteOf: Int32Array | undefined;
  #merged = new MergedPages();
  #size = 1;
  /** Σ of the history, in the same weighted money. */
  #handedOn = 0;
  /** e^(G/T) for cash handed on now. */
  #weight = 1;
  #visits = 0;

  constructor({ damping = DAMPING, window = DEFAULT_WINDOW }: OpicOptions = {}) {
    this.#damping = damping;
    this.#window = window;
    this.#cash[VIRTUAL] = 1;
  }

  /** Continues from `state()`. Crawls keep their book in the catalog (cash-book.ts): this, and `merge`, are for webs in memory. */
  static resumed(state: OpicState, options?: OpicOptions): Opic {
    const opic = new Opic(options);
    opic.#size = state.cash.length;
    opic.#cash = state.cash.slice();
    opic.#history = state.history.slice();
    opic.#relevance = state.relevance?.slice();
    opic.#siteOf = state.siteOf?.slice();
    opic.#handedOn = state.handedOn;
    opic.#weight = state.weight;
    opic.#visits = state.visits;
    opic.#merged = new MergedPages(state.merged);
    return opic;
  }

  state(): OpicState {
    const [relevance, siteOf] = [this.#relevance, this.#siteOf];
    return {
      cash: this.#cash.slice(0, this.#size),
      history: this.#history.slice(0, this.#size),
      handedOn: this.#handedOn,
      weight: this.#weight,
      visits: this.#visits,
      merged: [...this.#merged],
      ...(relevance && { relevance: relevance.slice(0, this.#size) }),
      ...(siteOf && { siteOf: siteOf.slice(0, this.#size) }),
    };
  }

  /** Number of known pages; they are numbered from 0. */
  get pages(): number {
    return this.#size - 1;
  }

  /** The effective G: |XL − X| ≤ 2 ÷ total. */
  get total(): number {
    return this.#handedOn / this.#weight;
  }

  /**
   * Adds a page that was found: it starts with nothing, and gets what others pay it. With a site (0, 1, …) the virtual page pays
   * sites equally, and the pages of one by their relevance (teleport.ts); then every page needs one.
   */
  add(relevance = 1, site?: number): number {
    requireRelevance(relevance);
    const at = this.#size;
    if (at > 1 && (site === undefined) !== (this.#siteOf === undefined))
      throw new RangeError('either all pages have a site, or none');
    this.#size++;
    if (at === this.#cash.length) {
      this.#cash = longer(this.#cash);
      this.#history = longer(this.#history);
      this.#relevance &&= longer(this.#relevance);
      this.#siteOf &&= longerIds(this.#siteOf);
    }
    if (site !== undefined) {
      this.#siteOf ??= new Int32Array(this.#cash.length);
      this.#siteOf[at] = site;
    }
    this.setRelevance(at - 1, relevance);
    return at - 1;
  }

  /** Share in which the virtual page pays a page: importance is then that of a perimeter, not of the whole web. */
  setRelevance(page: number, relevance: number): void {
    requireRelevance(relevance);
    if (relevance !== 1) this.#relevance ??= new Float64Array(this.#cash.length).fill(1);
    if (this.#relevance && !this.#merged.has(page)) this.#relevance[page + 1] = relevance;
  }

  /** `page` redirects to `target`: from now on they are one. */
  merge(page: number, target: number): void {
    const [from, to] = [this.#at(page), this.#at(target)];
    if (from === to) return;
    for (const money of [this.#cash, this.#history]) {
      money[to] = (money[to] as number) + (money[from] as number);
      money[from] = 0;
    }
    this.setRelevance(from - 1, 0);
    this.#merged.merge(from - 1, to - 1);
  }

  cash(page: number): number {
    return this.#cash[this.#at(page)] as number;
  }

  /** Over all pages except the virtual one: these sum to 1. */
  importance(page: number): number {
    const at = this.#at(page);
    const mine = (this.#history[at] as number) + this.#weight * (this.#cash[at] as number);
    const virtual = (this.#history[VIRTUAL] as number) + this.#weight * (this.#cash[VIRTUAL] as number);
    const all = this.#handedOn + this.#weight - virtual;
    return all === 0 ? 0 : mine / all;
  }

  /** A page was read: its cash goes to the pages it links to. Each is named once; the page itself is not among them. */
  visit(page: number, links: ArrayLike<number>): void {
    const at = this.#at(page);
    // Redirects may have merged pages that a row names separately.
    const targets = this.#merged.size === 0 ? links : this.#merged.links(at - 1, links);
    this.#requireKnown(targets);
    const cash = this.#take(at);
    const toLinks = targets.length === 0 ? 0 : this.#damping * cash;
    const share = toLinks / targets.length;
    for (let k = 0; k < targets.length; k++) {
      const target = (targets[k] as number) + 1;
      this.#cash[target] = (this.#cash[target] as number) + share;
    }
    this.#cash[VIRTUAL] = (this.#cash[VIRTUAL] as number) + cash - toLinks;
    if ((this.#cash[VIRTUAL] as number) >= PAY_FROM) this.#visitVirtualPage();
    if (++this.#visits % BALANCE_EVERY === 0) this.#balance();
  }

  /** Checked before any cash moves: a page that does not exist would remove cash from circulation. */
  #requireKnown(pages: ArrayLike<number>): void {
    for (let k = 0; k < pages.length; k++) {
      const page = pages[k] as number;
      if (!(page >= 0 && page < this.#size - 1)) throw new RangeError(`page ${page} was not added`);
    }
  }

  #visitVirtualPage(): void {
    const payees = {
      size: this.#size,
      relevance: this.#relevance,
      siteOf: this.#siteOf,
      merged: this.#merged,
    };
    payPages(this.#cash, this.#take(VIRTUAL), payees);
  }

  #take(at: number): number {
    const cash = this.#cash[at] as number;
    const written = this.#weight * cash;
    this.#history[at] = (this.#history[at] as number) + written;
    this.#handedOn += written;
    this.#cash[at] = 0;
    this.#weight *= Math.exp(cash / this.#window);
    if (this.#weight > LARGEST_WEIGHT) this.#rescale();
    return cash;
  }

  #rescale(): void {
    for (let at = 0; at < this.#size; at++) this.#history[at] = (this.#history[at] as number) / this.#weight;
    this.#handedOn /= this.#weight;
    this.#weight = 1;
  }

  /** Keeps rounding from creating or destroying money in the long run. */
  #balance(): void {
    let [cash, history] = [0, 0];
    for (let at = 0; at < this.#size; at++) {
      cash += this.#cash[at] as number;
      history += this.#history[at] as number;
    }
    for (let at = 0; at < this.#size; at++) this.#cash[at] = (this.#cash[at] as number) / cash;
    this.#handedOn = history;
  }

  #at(page: number): number {
    if (!(page >= 0 && page < this.#size - 1)) throw new RangeError(`page ${page} was not added`);
    return this.#merged.size === 0 ? page + 1 : this.#merged.pageOf(page) + 1;
  }
}

function requireRelevance(relevance: number): void {
  if (!(relevance >= 0 && relevance < Number.POSITIVE_INFINITY))
    throw new RangeError(`relevance is a finite number >= 0, not ${relevance}`);
}

function longer(values: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(values.length * 2);
  more.set(values);
  return more;
}

function longerIds(values: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2);
  more.set(values);
  return more;
}
