/**
 * On-line page importance (see opic.ts for the paper and its symbols) over pages kept in a catalog: what a visit touches is
 * read, changed and written; nothing is ever done to all pages.
 *
 * Two things in the paper touch every page. Both are recorded once, and applied when a page is next looked at:
 *
 * - *The virtual page pays all pages.* `paid` is what it has paid per unit of relevance since the beginning. A page's cash is
 *   stored less relevance × paid, so that cash = stored + relevance × paid at any time.
 * - *Release.* Pages that are never read (outside the scope, refused, gone) would eventually swallow all cash. When a crawl
 *   ends, all pages that no crawl has read hand theirs to the virtual page, as pages without links do. A part of the book
 *   knows how many releases it has taken part in: the first it missed took the cash it held, each later one what the virtual page
 *   had paid in between; the sum of that over releases is kept.
 *
 * Departures from opic.ts: history is weighted by the cash that *read* pages have handed on, not by all of it. Otherwise cash that
 * goes back and forth between the virtual page and pages nobody reads would use up the window. The bound holds with any weights
 * that never fall: by summation by parts |XL − X| ≤ 2 · weight ÷ handedOn. The virtual page pays after every visit, since
 * paying costs one addition.
 *
 * Cost: a visit takes one step per link. Memory: the parts of the pages in use.
 */
import type { BookFigures, BookPage, StoredTotals } from '../../model/importance.ts';
import { PART_PAGES, PageKind, relevanceAt } from './book-part.ts';
import { catchUp, type Release, sweptPart } from './book-releases.ts';
import { type BookTotals, figuresOf, newTotals } from './book-totals.ts';
import { DEFAULT_WINDOW } from './opic.ts';
import { DAMPING } from './page-rank.ts';
import { type BookPlace, PartsInHand } from './parts-in-hand.ts';

export interface BookOptions {
  readonly damping?: number;
  readonly window?: number;
}

/** Number of releases, and a weight, beyond which the whole book is swept: both rare, and far below the limits of floats. */
const MOST_RELEASES = 256;
const LARGEST_WEIGHT = 1e100;

export class CashBook {
  readonly #damping: number;
  readonly #window: number;
  readonly #totals: BookTotals;
  readonly #releases: Release[];
  readonly #parts = new PartsInHand();
  /** Visits of this process. */
  #visits = 0;

  constructor(stored: StoredTotals = {}, { damping = DAMPING, window = DEFAULT_WINDOW }: BookOptions = {}) {
    this.#damping = damping;
    this.#window = window;
    this.#totals =
      stored.totals === undefined
        ? newTotals()
        : { ...newTotals(), ...(JSON.parse(stored.totals) as object) };
    this.#releases = stored.releases === undefined ? [] : (JSON.parse(stored.releases) as Release[]);
  }

  /** Parts that must be put in before these pages can be used; to be called again until there are none. */
  missing(pages: Iterable<number>): readonly number[] {
    return this.#parts.missing(pages);
  }

  /** Undefined for a part that is not stored yet. */
  put(part: number, stored: Uint8Array | undefined): void {
    catchUp(this.#parts.put(part, stored, this.#releases.length), this.#releases);
  }

  isRead(page: number): boolean {
    const { part, slot } = this.#parts.at(page);
    return part.kinds[slot] === PageKind.read;
  }

  /** A page was read: its cash goes to the pages it links to, each counted once, the page itself excluded. */
  visit(page: number, links: Iterable<number>): void {
    const totals = this.#totals;
    const mine = this.#parts.toChange(page);
    // A page that is read where there was a redirect starts afresh.
    if (mine.part.kinds[mine.slot] === PageKind.merged) mine.part.kinds[mine.slot] = PageKind.none;
    this.#know(mine);
    this.#setRead(mine);
    const targets = this.#reached(page, links);
    const cash = this.#take(mine);
    const toLinks = targets.length === 0 ? 0 : this.#damping * cash;
    const share = toLinks / targets.length;
    for (const target of targets) this.#receive(target, share);
    totals.virtual += cash - toLinks;
    totals.visits++;
    this.#pay();
  }

  /** `page` redirects to `target`: from now on they are one. A page that nobody has linked to or read does not exist yet. */
  merge(page: number, target: number): void {
    const into = this.#parts.resolve(target);
    if (into === page) return;
    const from = this.#parts.toChange(page);
    const to = this.#parts.toChange(into);
    const { part, slot } = from;
    const kind = part.kinds[slot];
    if (kind === PageKind.unread || kind === PageKind.read) {
      this.#know(to);
      const cash = this.#cashAt(from);
      if (kind === PageKind.read) this.#setUnread(from);
      this.#totals.pages--;
      this.#totals.relevance -= relevanceAt(part, slot);
      this.#totals.unreadRelevance -= relevanceAt(part, slot);
      this.#totals.unreadCash -= cash;
      this.#receive(into, cash);
      to.part.history[to.slot] = (to.part.history[to.slot] as number) + (part.history[slot] as number);
    }
    part.kinds[slot] = PageKind.merged;
    part.cash[slot] = into;
    part.history[slot] = 0;
  }

  /** Share in which the virtual page pays a page: importance is then that of a perimeter, not of the whole web. */
  setRelevance(page: number, relevance: number): void {
    const place = this.#parts.toChange(this.#parts.resolve(page));
    this.#know(place);
    const { part, slot } = place;
    const before = relevanceAt(part, slot);
    // As it will be stored: sums must use exactly the same numbers.
    const next = Math.fround(relevance);
    const cash = this.#cashAt(place);
    part.relevance ??= new Float32Array(PART_PAGES).fill(1);
    part.relevance[slot] = next;
    part.cash[slot] = cash - next * this.#totals.paid;
    this.#totals.relevance += next - before;
    if (part.kinds[slot] === PageKind.unread) this.#totals.unreadRelevance += next - before;
  }

  /** A page that was read has no capture left: it is now only a page that others link to, if any do. */
  forget(page: number): void {
    const place = this.#parts.toChange(page);
    if (place.part.kinds[place.slot] === PageKind.read) this.#setUnread(place);
  }

  /** A crawl has ended: pages that neither it nor any crawl before it has read keep no cash. */
  release(): void {
    const totals = this.#totals;
    const { paid, weight } = totals;
    const last = this.#releases.at(-1) ?? { paid: 0, sum: 0 };
    totals.handedOn += weight * totals.unreadCash;
    totals.virtual += totals.unreadCash;
    totals.unreadCash = 0;
    this.#releases.push({ paid, weight, sum: last.sum + weight * (paid - last.paid) });
    for (const part of this.#parts) catchUp(part, this.#releases);
    this.#pay();
  }

  /** Undefined for what is not a page. */
  page(page: number): BookPage | undefined {
    const target = this.#parts.resolve(page);
    const place = this.#parts.at(target);
    const kind = place.part.kinds[place.slot];
    if (kind !== PageKind.read && kind !== PageKind.unread) return undefined;
    const { weight, handedOn, virtual, virtualHistory } = this.#totals;
    const cash = this.#cashAt(place);
    const history = (place.part.history[place.slot] as number) / weight;
    const all = (handedOn - virtualHistory) / weight + 1 - virtual;
    const importance = all <= 0 ? 0 : (history + cash) / all;
    return { page: target, isRead: kind === PageKind.read, cash, history, importance };
  }

  /** The pages of a part that was put in, except those that redirect. */
  *pages(number: number): Generator<BookPage> {
    const part = this.#parts.get(number);
    for (let slot = 0; part && slot < PART_PAGES; slot++) {
      if (part.kinds[slot] === PageKind.merged) continue;
      const found = this.page(number * PART_PAGES + slot);
      if (found) yield found;
    }
  }

  get figures(): BookFigures {
    return figuresOf(this.#totals);
  }

  get partsInHand(): number {
    return this.#parts.size;
  }

  /** Bytes to store for the parts changed since they were put in, or since the last call. */
  takeChanges(): ReadonlyMap<number, Uint8Array> {
    return this.#parts.takeChanges();
  }

  /** Drops all loaded parts. */
  drop(): void {
    this.#parts.drop();
  }

  stored(): Required<StoredTotals> {
    return { totals: JSON.stringify(this.#totals), releases: JSON.stringify(this.#releases) };
  }

  get needsSweep(): boolean {
    return this.#releases.length >= MOST_RELEASES || this.#totals.weight > LARGEST_WEIGHT;
  }

  /** Brings the whole book up to date: every part goes through `part`; at the end, rounding errors are removed. */
  sweep(): { readonly part: (stored: Uint8Array) => Uint8Array; readonly end: () => void } {
    const totals = this.#totals;
    const held = { read: 0, unread: 0 };
    this.drop();
    return {
      part: (stored) => sweptPart(stored, totals, this.#releases, held),
      end: () => {
        totals.handedOn /= totals.weight;
        totals.virtualHistory /= totals.weight;
        totals.weight = 1;
        totals.paid = 0;
        totals.unreadCash = held.unread;
        totals.virtual = Math.max(0, 1 - held.read - held.unread);
        this.#releases.length = 0;
      },
    };
  }

  #know({ part, slot }: BookPlace): void {
    if (part.kinds[slot] !== PageKind.none) return;
    const relevance = relevanceAt(part, slot);
    part.kinds[slot] = PageKind.unread;
    part.cash[slot] = -relevance * this.#totals.paid;
    part.history[slot] = 0;
    this.#totals.pages++;
    this.#totals.relevance += relevance;
    this.#totals.unreadRelevance += relevance;
  }

  #setRead(place: BookPlace): void {
    const { part, slot } = place;
    if (part.kinds[slot] === PageKind.read) return;
    part.kinds[slot] = PageKind.read;
    this.#totals.read++;
    this.#totals.unreadRelevance -= relevanceAt(part, slot);
    this.#totals.unreadCash -= this.#cashAt(place);
  }

  #setUnread(place: BookPlace): void {
    place.part.kinds[place.slot] = PageKind.unread;
    this.#totals.read--;
    this.#totals.unreadRelevance += relevanceAt(place.part, place.slot);
    this.#totals.unreadCash += this.#cashAt(place);
  }

  #cashAt({ part, slot }: BookPlace): number {
    return (part.cash[slot] as number) + relevanceAt(part, slot) * this.#totals.paid;
  }

  /** Where links lead, each page once. Marked in the parts: a set for each visit was most of what a visit allocates. */
  #reached(page: number, links: Iterable<number>): readonly number[] {
    const visit = ++this.#visits;
    const targets: number[] = [];
    for (const link of links) {
      const target = this.#parts.resolve(link);
      if (target === page) continue;
      const { reachedBy } = this.#parts.partOf(target);
      const slot = target % PART_PAGES;
      if (reachedBy[slot] === visit) continue;
      reachedBy[slot] = visit;
      targets.push(target);
    }
    return targets;
  }

  /** What a link brings. One of thirty on every page: no object is made for it. */
  #receive(page: number, share: number): void {
    const part = this.#parts.partToChange(page);
    const slot = page % PART_PAGES;
    if (part.kinds[slot] === PageKind.none) this.#know({ part, slot });
    part.cash[slot] = (part.cash[slot] as number) + share;
    if (part.kinds[slot] === PageKind.unread) this.#totals.unreadCash += share;
  }

  #take(place: BookPlace): number {
    const { part, slot } = place;
    const totals = this.#totals;
    const cash = this.#cashAt(place);
    const written = totals.weight * cash;
    part.history[slot] = (part.history[slot] as number) + written;
    part.cash[slot] = -relevanceAt(part, slot) * totals.paid;
    totals.handedOn += written;
    totals.weight *= Math.exp(cash / this.#window);
    return cash;
  }

  #pay(): void {
    const totals = this.#totals;
    // Nobody to pay: the cash waits.
    if (totals.relevance <= 0) return;
    const written = totals.weight * totals.virtual;
    const share = totals.virtual / totals.relevance;
    totals.virtualHistory += written;
    totals.handedOn += written;
    totals.paid += share;
    totals.unreadCash += share * totals.unreadRelevance;
    totals.virtual = 0;
  }
}
