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

/** Limits on settling on-line importance at the end of a crawl. */
export interface SettlingLimits {
  /** How often every page that was read is visited. */
  readonly rounds: number;
  /** Links that cash is handed along, in all rounds together: they are kept in memory, 8 bytes each. */
  readonly links: number;
  /** Parts of the book held in memory, about 1 KB each, before they are written. */
  readonly parts: number;
}

/** On-line importance, and the links to recompute it from. */
export interface ImportanceCatalog {
  bookFigures(): Promise<BookFigures>;
  /** Every known page, by number. When read while a crawl writes, pages are from slightly different moments. */
  bookPages(): AsyncIterable<BookPage>;
  /** The pages of a site that were read, or the known ones among these URLs; a redirect gives the page it leads to. */
  importances(query: {
    readonly site?: string;
    readonly urls?: readonly string[];
  }): AsyncIterable<PageImportance>;
  /**
   * After a crawl: pages that were ever read hand their cash on along stored links, a bounded number of times. Without
   * it, importance reflects the links as they were when their pages were visited.
   */
  settleBook(limits?: SettlingLimits): Promise<void>;
  /** The same, where there is anything new to settle; returns whether there was. */
  settleNews(limits?: SettlingLimits): Promise<boolean>;
  /** Replaces everything that on-line importance knew. `parts` is iterated once more after a lost connection. */
  replaceBook(
    stored: Required<StoredTotals>,
    parts: Iterable<readonly [part: number, pages: Uint8Array]>,
  ): Promise<void>;

  /** In order of page number. */
  linkRows(): AsyncIterable<LinkRow>;
  /** Numbers of all pages that were read, ascending, in batches; with the site of each. */
  readPages(): AsyncIterable<readonly { readonly page: number; readonly siteId: number }[]>;
  /** URLs that led to another when last seen. */
  redirects(): AsyncIterable<{ readonly page: number; readonly to: number }>;
  /** For those URLs that the catalog knows. */
  pageNumbers(urls: readonly string[]): Promise<ReadonlyMap<string, number>>;
  urlsOfPages(pages: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
