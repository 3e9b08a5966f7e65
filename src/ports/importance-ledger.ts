import type { BookFigures, BookPage, StoredTotals } from '../model/importance.ts';

/**
 * The arithmetic of on-line importance. The catalog calls it with each commit, and stores parts and totals without
 * interpreting them: both in the transaction of the visits that changed them.
 */
export interface ImportanceLedger {
  open(stored: StoredTotals): ImportanceBook;
}

/**
 * Pages are identified by the ids of their URLs, and grouped in parts: the parts of the pages in hand must be put
 * in first.
 */
export interface ImportanceBook {
  /** Parts to put in before these pages are used; called again until there are none, since redirects lead on. */
  missing(pages: Iterable<number>): readonly number[];
  put(part: number, stored: Uint8Array | undefined): void;
  isRead(page: number): boolean;
  visit(page: number, links: Iterable<number>): void;
  merge(page: number, target: number): void;
  setRelevance(page: number, relevance: number): void;
  forget(page: number): void;
  /** At the end of a crawl. */
  release(): void;
  page(page: number): BookPage | undefined;
  pages(part: number): Iterable<BookPage>;
  readonly figures: BookFigures;
  /** How many parts are in memory. */
  readonly partsInHand: number;
  takeChanges(): ReadonlyMap<number, Uint8Array>;
  /** Forgets the parts in memory. */
  drop(): void;
  stored(): Required<StoredTotals>;
  /** Every part then has to go through `sweep().part`, followed by `end`; seldom true. */
  readonly needsSweep: boolean;
  sweep(): { readonly part: (stored: Uint8Array) => Uint8Array; readonly end: () => void };
}
