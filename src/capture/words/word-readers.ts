import type { LanguageWords, WordReaders } from '../../ports/word-readers.ts';
import { SHIPPED_LANGUAGES, shippedWords } from './shipped-words.ts';
import { STEMMERS } from './stemmers.ts';
import { compileWords, type WordList, wordList } from './word-list.ts';

/**
 * The shipped dictionaries, and user-supplied word lists for further languages, one word per line; such a list takes precedence
 * over the shipped one. A language without a stemmer counts its words unstemmed.
 */
export function openWordReaders(lists: ReadonlyMap<string, string> = new Map()): WordReaders {
  const opened = new Map<string, LanguageWords | undefined>();
  return {
    languages: [...new Set([...SHIPPED_LANGUAGES, ...lists.keys()])].sort(),
    of(language) {
      if (!opened.has(language)) opened.set(language, readerOf(language, lists.get(language)));
      return opened.get(language);
    },
  };
}

function readerOf(language: string, list: string | undefined): LanguageWords | undefined {
  const words = list === undefined ? shipped(language) : wordList(compileWords(linesOf(list)));
  if (!words) return undefined;
  const stem = STEMMERS[language] ?? ((word: string) => word);
  // Texts repeat their words: each stem is computed once.
  const stems = new Map<string, string>();
  return {
    isKnown: (token) => words.has(token.toLowerCase()),
    stem(token) {
      const low = token.toLowerCase();
      const known = stems.get(low);
      if (known !== undefined) return known;
      if (stems.size >= STEMS_KEPT) stems.clear();
      const found = stem(low);
      stems.set(low, found);
      return found;
    },
  };
}

/** About 10 MB. */
const STEMS_KEPT = 100_000;

function shipped(language: string): WordList | undefined {
  if (!(SHIPPED_LANGUAGES as readonly string[]).includes(language)) return undefined;
  const hashes = shippedWords(language);
  return hashes && wordList(hashes);
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().normalize('NFC').toLowerCase())
    .filter((line) => line !== '' && !line.startsWith('#'));
