import type { BookFigures, BookPage, StoredTotals } from '../../model/importance.ts';

/** On-line importance of a page. */
export interface PageImportance extends BookPage {
  readonly url: string;
}

/** All links that any capture of a page had; pages by their numbers. */
export interface LinkRow {
  readonly page: number;
  readonly links: readonly number[];
}

/** What the end of a crawl may spend on settling on-line importance. */
export interface SettlingLimits {
  /** Times that every page which was read is visited. */
  readonly rounds: number;
  /** Links that cash is handed along, all rounds together: they are kept in memory, 8 bytes each. */
  readonly links: number;
  /** Parts of the book in hand, of about 1 KB, before they are written. */
  readonly parts: number;
}

/** What on-line importance says, and the links to compute it from anew. */
export interface ImportanceCatalog {
  bookFigures(): Promise<BookFigures>;
  /** Every page that is known, by number. Read while a crawl writes, pages are of slightly different moments. */
  bookPages(): AsyncIterable<BookPage>;
  /** The pages of a site that were read, or those among these URLs that are known; a redirect tells of the page it leads to. */
  importances(query: {
    readonly site?: string;
    readonly urls?: readonly string[];
  }): AsyncIterable<PageImportance>;
  /**
   * After a crawl: pages that were ever read hand their cash on along stored links, a bounded number of times. Without it, importance is
   * that of the links as they were when their pages were visited.
   */
  settleBook(limits?: SettlingLimits): Promise<void>;
  /** In place of all that on-line importance knew. The parts are gone through once more after a lost connection. */
  replaceBook(
    stored: Required<StoredTotals>,
    parts: Iterable<readonly [part: number, pages: Uint8Array]>,
  ): Promise<void>;

  /** In the order of the pages' numbers. */
  linkRows(): AsyncIterable<LinkRow>;
  /** Numbers of all pages that were read, ascending, some at a time; with the site of each. */
  readPages(): AsyncIterable<readonly { readonly page: number; readonly siteId: number }[]>;
  /** URLs that led to another when they were last seen. */
  redirects(): AsyncIterable<{ readonly page: number; readonly to: number }>;
  /** Of those URLs that the catalog knows. */
  pageNumbers(urls: readonly string[]): Promise<ReadonlyMap<string, number>>;
  urlsOfPages(pages: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
