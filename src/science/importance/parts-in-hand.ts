import { type BookPart, newPart, PART_PAGES, PageKind, partOf, readPart, writePart } from './book-part.ts';

/** Where the numbers of a page are. */
export interface BookPlace {
  readonly part: BookPart;
  readonly slot: number;
}

/** The parts of a cash book that are loaded, and which of them were changed. */
export class PartsInHand {
  readonly #parts = new Map<number, BookPart>();
  readonly #changed = new Set<number>();

  /** Parts that must be put in before these pages can be used; to be called again until there are none, since merged pages lead on. */
  missing(pages: Iterable<number>): readonly number[] {
    const parts = new Set<number>();
    for (let page of pages) {
      for (;;) {
        const part = this.#parts.get(partOf(page));
        if (!part) {
          parts.add(partOf(page));
          break;
        }
        if (part.kinds[page % PART_PAGES] !== PageKind.merged) break;
        page = part.cash[page % PART_PAGES] as number;
      }
    }
    return [...parts];
  }

  /** A part that is not stored yet counts as having taken part in all releases: it missed none. */
  put(number: number, stored: Uint8Array | undefined, releases: number): BookPart {
    const part = stored ? readPart(stored) : newPart(releases);
    this.#parts.set(number, part);
    return part;
  }

  get size(): number {
    return this.#parts.size;
  }

  get(number: number): BookPart | undefined {
    return this.#parts.get(number);
  }

  *[Symbol.iterator](): Generator<BookPart> {
    for (const [number, part] of this.#parts) {
      this.#changed.add(number);
      yield part;
    }
  }

  at(page: number): BookPlace {
    return { part: this.partOf(page), slot: page % PART_PAGES };
  }

  partOf(page: number): BookPart {
    const part = this.#parts.get(partOf(page));
    if (!part) throw new RangeError(`page ${page} is not in hand`);
    return part;
  }

  /** The same, for changing. */
  toChange(page: number): BookPlace {
    return { part: this.partToChange(page), slot: page % PART_PAGES };
  }

  partToChange(page: number): BookPart {
    this.#changed.add(partOf(page));
    return this.partOf(page);
  }

  /** Follows redirects. */
  resolve(page: number): number {
    for (;;) {
      // Called for every link of every visit: no object is created here.
      const part = this.#parts.get(partOf(page));
      if (!part) throw new RangeError(`page ${page} is not in hand`);
      const slot = page % PART_PAGES;
      if (part.kinds[slot] !== PageKind.merged) return page;
      page = part.cash[slot] as number;
    }
  }

  takeChanges(): ReadonlyMap<number, Uint8Array> {
    const changes = new Map<number, Uint8Array>();
    for (const number of this.#changed) {
      const part = this.#parts.get(number);
      if (part) changes.set(number, writePart(part));
    }
    this.#changed.clear();
    return changes;
  }

  drop(): void {
    this.#parts.clear();
    this.#changed.clear();
  }
}
