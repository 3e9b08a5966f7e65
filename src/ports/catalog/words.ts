import type { PageWords } from '../../model/page-words.ts';
import type { Millis } from '../../model/time.ts';

/** A page whose words were not counted, or were counted in an earlier version. */
export interface UncountedPage {
  readonly url: string;
  readonly lastAt: Millis;
  /** Of the version in which they were last counted. */
  readonly sha256?: string;
}

export interface NumberedWords extends Omit<PageWords, 'url'> {
  /** Number of the page. */
  readonly page: number;
}

/** The words of pages, by which their importance is judged. */
export interface WordCatalog {
  uncountedPages(): AsyncIterable<UncountedPage>;
  /** Replaces what was known of these pages. */
  setPageWords(pages: readonly PageWords[]): Promise<void>;
  /** The page still has the version in which its words were counted. */
  confirmPageWords(pages: readonly { readonly url: string; readonly at: Millis }[]): Promise<void>;
  /** By page number. */
  pageWords(): AsyncIterable<NumberedWords>;
}
