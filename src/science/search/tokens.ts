/**
 * Text as the words it is found by. Case and accents do not count, endings do not count where the language is known, and
 * writing without spaces is found by pairs of characters: 東京都 is 東京 and 京都.
 *
 * The same for both databases, which are given these words and add nothing of their own.
 */
export type Stem = (word: string) => string;

export interface Token {
  readonly word: string;
  /** Where it is in the text: UTF-16 units, end exclusive. */
  readonly from: number;
  readonly to: number;
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;
/** Longest word in characters: a longer run is no word, and is found by its beginning. */
const LONGEST = 60;

export const unstemmed: Stem = (word) => word;

export function tokensOf(text: string, stem: Stem): Token[] {
  const tokens: Token[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let at = 0;
    for (const { 0: unspaced, index: from } of run.matchAll(UNSPACED)) {
      addWord(tokens, run.slice(at, from), index + at, stem);
      addPairs(tokens, unspaced, index + from);
      at = from + unspaced.length;
    }
    addWord(tokens, run.slice(at), index + at, stem);
  }
  return tokens;
}

function addWord(tokens: Token[], run: string, from: number, stem: Stem): void {
  if (run === '') return;
  const word = folded(stem(run.slice(0, LONGEST).normalize('NFC').toLowerCase()));
  if (word !== '') tokens.push({ word, from, to: from + run.length });
}

function addPairs(tokens: Token[], run: string, from: number): void {
  const characters = [...run];
  const last = Math.max(1, characters.length - 1);
  let at = from;
  for (let i = 0; i < last; i++) {
    const pair = characters.slice(i, i + 2).join('');
    const word = folded(pair);
    if (word !== '') tokens.push({ word, from: at, to: at + pair.length });
    at += (characters[i] as string).length;
  }
}

/** Letters and digits only: both databases take them unchanged. */
export const folded = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
