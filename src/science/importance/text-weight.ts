/**
 * Text weight (French web 2002, § 3.3): how much of a document is text that people wrote in the language, rather than tags,
 * names, numbers or data: I_pt = size of the words of the language ÷ size of the document, in bytes. The words are those of
 * the dictionary (`countWords`); the document is the payload as received, with content coding removed.
 *
 * For a site: the words of all its pages ÷ all their documents. So a short page counts for little, while the mean
 * of shares would let a thousand empty pages hide a book.
 */
import type { WordCounts } from './word-counts.ts';

export interface TextSize {
  readonly words: Pick<WordCounts, 'bytes'>;
  /** 0 for an empty document. */
  readonly documentBytes: number;
}

/** In [0, 1]; words are counted in UTF-8, so a document in a denser encoding could come out above 1: it is capped. */
export const textWeight = (page: TextSize): number => siteTextWeight([page]);

export function siteTextWeight(pages: Iterable<TextSize>): number {
  let [text, all] = [0, 0];
  for (const { words, documentBytes } of pages) {
    text += words.bytes;
    all += documentBytes;
  }
  return all > 0 ? Math.min(1, text / all) : 0;
}
