import type { Random } from '../newspaper/random.ts';

/** Replaces words by words that no page contains. HTML is read byte by byte here: only ASCII is written. */

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

export function newWord(random: Random, like: string): string {
  const length = Math.max(4, Math.min(like.length, 12));
  let word = '';
  while (word.length < length) {
    word += CONSONANTS.charAt(random.int(CONSONANTS.length)) + VOWELS.charAt(random.int(VOWELS.length));
  }
  return /^[A-Z]/u.test(like) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** Words (bytes above ASCII and numeric character references are letters of some script), or named character references. */
const PIECE = /(?:&#\d{3,5};|[A-Za-z\x80-\xff]){2,}|&#?\w+;/gu;

/** Replaces all words, and keeps signs and numbers. */
export const newText = (random: Random, text: string): string =>
  text.replace(PIECE, (piece) => (/^&#?\w+;$/u.test(piece) ? piece : newWord(random, piece)));

/** Plain words that can be replaced one by one. */
export const plainWords = (text: string): { readonly word: string; readonly at: number }[] =>
  [...text.matchAll(/(?<![&\w\x80-\xff])[A-Za-z]{4,}(?![\w;\x80-\xff])/gu)].map((match) => ({
    word: match[0],
    at: match.index,
  }));
