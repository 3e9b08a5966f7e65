/**
 * Frequent use of infrequent words (French web 2002, § 3.3): a page dedicated to a topic, butterflies say, often uses
 * words that others seldom use.
 *
 * | paper | here |
 * | --- | --- |
 * | n_{p,w}, N_p | `counts`, `total` of `WordCounts`: words of the dictionary, stemmed |
 * | f_{p,w} = n_{p,w} ÷ N_p | share of w among the page's words |
 * | f_web | `WebWords.frequency`: the same share, over all pages that were read |
 * | I_w = Σ_w f_{p,w} ÷ f_web, w each word of the page | `infrequentWords` |
 * | of a site: f_{S,w} = Σ n_{p,w} ÷ Σ N_p | the same, with its pages as one document |
 *
 * The web itself, as one page, scores the number of its different words, and so does the mean page, pages weighted by their
 * words: above that a page is more special than most. The paper says nothing about short pages. One rare word alone on a page
 * scores 1 ÷ f_web, far above any text; `leastWords` treats shorter pages as if they had that many words, the missing ones
 * saying nothing.
 *
 * Cost: one step per different word of the page.
 */
import type { WordCounts } from './word-counts.ts';

export interface InfrequentWordsOptions {
  /** 0, as in the paper, unless given. */
  readonly leastWords?: number;
}

/** How often each word occurs in the pages that were read: at most as many numbers as the dictionary has stems. */
export class WebWords {
  readonly #counts: Map<string, number>;
  #total = 0;

  /** From the counts kept from an earlier run. */
  constructor(counts: Iterable<readonly [word: string, count: number]> = []) {
    this.#counts = new Map(counts);
    for (const count of this.#counts.values()) this.#total += count;
  }

  /** Occurrences by stem, to be stored. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  get total(): number {
    return this.#total;
  }

  add({ counts, total }: WordCounts): void {
    for (const [word, count] of counts) this.#counts.set(word, (this.#counts.get(word) ?? 0) + count);
    this.#total += total;
  }

  /** The page is gone, or another version replaces it. */
  remove({ counts, total }: WordCounts): void {
    for (const [word, count] of counts) {
      const left = (this.#counts.get(word) ?? 0) - count;
      if (left > 0) this.#counts.set(word, left);
      else this.#counts.delete(word);
    }
    this.#total = Math.max(0, this.#total - total);
  }

  /** f_web. A word that no page has counts as if it occurred once: it is rare, not impossible. */
  frequency(word: string): number {
    return Math.max(1, this.#counts.get(word) ?? 0) / Math.max(1, this.#total);
  }
}

/** I_w of a page, or of a site whose pages are pooled; 0 without words. */
export function infrequentWords(
  words: WordCounts,
  web: WebWords,
  options: InfrequentWordsOptions = {},
): number {
  let sum = 0;
  for (const { part } of parts(words, web, options)) sum += part;
  return sum;
}

export interface InfrequentWord {
  readonly word: string;
  /** f_{p,w} ÷ f_web: the parts of all words sum to I_w. */
  readonly part: number;
}

/** The words that contribute most, for a person who asks why. */
export function mostInfrequent(
  words: WordCounts,
  web: WebWords,
  most: number,
  options: InfrequentWordsOptions = {},
): InfrequentWord[] {
  return [...parts(words, web, options)]
    .sort((a, b) => b.part - a.part || (a.word < b.word ? -1 : 1))
    .slice(0, most);
}

function* parts(
  { counts, total }: WordCounts,
  web: WebWords,
  { leastWords = 0 }: InfrequentWordsOptions,
): Iterable<InfrequentWord> {
  const words = Math.max(total, leastWords);
  for (const [word, count] of counts) yield { word, part: count / words / web.frequency(word) };
}
