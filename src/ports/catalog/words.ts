import type { PageWords } from '../../model/page-words.ts';
import type { Millis } from '../../model/time.ts';

/** A page whose words were not counted, or not of its last version. */
export interface UncountedPage {
  readonly url: string;
  readonly lastAt: Millis;
  /** Of the version that they were last counted of. */
  readonly sha256?: string;
}

export interface NumberedWords extends Omit<PageWords, 'url'> {
  /** Number of the page. */
  readonly page: number;
}

/** The words of pages, by which their importance is judged. */
export interface WordCatalog {
  uncountedPages(): AsyncIterable<UncountedPage>;
  /** In place of what was known of these pages. */
  setPageWords(pages: readonly PageWords[]): Promise<void>;
  /** The page is still the version that its words were counted of. */
  confirmPageWords(pages: readonly { readonly url: string; readonly at: Millis }[]): Promise<void>;
  /** By number of the page. */
  pageWords(): AsyncIterable<NumberedWords>;
}
