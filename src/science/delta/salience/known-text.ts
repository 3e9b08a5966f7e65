import type { Layout } from '../../../model/layout.ts';
import { leavesIn } from '../../layout/segment-leaves.ts';
import { type ToldWord, toldWords } from './told-words.ts';
import { withoutVolatile } from './volatile-text.ts';

/** Factor on a word's worth where the page has used the word, but not this text. */
const KNOWN_WORD = 0.7;
/** Factor on a word's worth where the word only replaces another spelling of it. */
const SPELLING = 0.1;
/** A text that shares this much of its worth with an earlier one tells the same story. */
const SAME_TOLD = 0.7;
/** The rarest words of a text, used to find texts that may tell the same. */
const CLUES = 3;
/** A word in more texts than this is no clue. */
const MOST_TEXTS = 200;

/**
 * What a reader has read already, text by text. A long page has used most words before, in other sentences, so words
 * alone would make its news look old: a text counts as told if a single earlier text told most of it. Each text is
 * compared with a bounded number of others.
 */
export class KnownText {
  readonly #texts: ReadonlySet<string>[] = [];
  readonly #textsWith = new Map<string, number[]>();

  add(words: readonly ToldWord[]): void {
    const keys = new Set(words.map(({ key }) => key));
    const text = this.#texts.push(keys) - 1;
    for (const key of keys) {
      const list = this.#textsWith.get(key);
      if (list) list.push(text);
      else this.#textsWith.set(key, [text]);
    }
  }

  /** How much of these words has not been told yet, in words' worth; `before` is what they replaced. */
  untold(words: readonly ToldWord[], before: readonly ToldWord[] = []): number {
    const replaced = new Set(before.map(({ key }) => key));
    const left = [...replaced].filter((key) => !words.some((word) => word.key === key));
    const same = this.#nearest(words);
    let sum = 0;
    for (const { key, worth } of words) {
      if (replaced.has(key) || same?.has(key)) continue;
      if (left.some((other) => isSpelling(other, key))) sum += worth * SPELLING;
      else sum += this.#textsWith.has(key) ? worth * KNOWN_WORD : worth;
    }
    return sum;
  }

  /** The text that told most of this, if it tells the same story. */
  #nearest(words: readonly ToldWord[]): ReadonlySet<string> | undefined {
    const clues = [...new Set(words.filter(({ worth }) => worth >= CLUE_WORTH).map(({ key }) => key))]
      .map((key) => this.#textsWith.get(key) ?? [])
      .filter(({ length }) => length > 0 && length <= MOST_TEXTS)
      .sort((a, b) => a.length - b.length)
      .slice(0, CLUES);
    const all = words.reduce((sum, { worth }) => sum + worth, 0);
    let best: ReadonlySet<string> | undefined;
    let most = SAME_TOLD * all;
    for (const text of new Set(clues.flat())) {
      const keys = this.#texts[text] as ReadonlySet<string>;
      const shared = words.reduce((sum, { key, worth }) => (keys.has(key) ? sum + worth : sum), 0);
      if (shared >= most) [best, most] = [keys, shared];
    }
    return best;
  }
}

/** A word with one or two letters changed, missing or added: `recieve`, `receive`; figures are never misspelt. */
function isSpelling(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SPELT_LENGTH || Math.abs(a.length - b.length) > 2) return false;
  if (/\p{N}/u.test(a + b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/** In words shorter than this, a different letter makes a different word. */
const SPELT_LENGTH = 5;

/** Function words are worth less, and are no clue. */
const CLUE_WORTH = 0.5;

/** What can be read on a page, and what it told in the last few days. */
export function knownOn({ root }: Layout, past: readonly string[] = []): KnownText {
  const known = new KnownText();
  for (const { links, texts } of leavesIn(root, ({ blocks }) => blocks)) {
    for (const { name } of links) known.add(readWords(name));
    for (const { text } of texts) known.add(readWords(text));
  }
  for (const text of past) known.add(readWords(text));
  return known;
}

/** The words of a text, without its volatile parts. */
export const readWords = (text: string): ToldWord[] => toldWords(withoutVolatile(text));
