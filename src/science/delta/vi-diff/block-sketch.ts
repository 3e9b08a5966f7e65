import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';

/**
 * A sketch of the words of a block, to find the block that says nearly the same: one-permutation minhash
 * (Li, Owen, Zhang, "One Permutation Hashing", NIPS 2012) over pairs of adjacent words. Each pair is hashed
 * once; the hashes are dealt into bins and each bin keeps its smallest. The share of equal bins estimates the
 * Jaccard similarity of the sets of pairs.
 */
const BINS = 32;
const BIN_SHIFT = 27;
const EMPTY = -1;

export type WordSketch = Int32Array;

export function sketchOf(block: Block): WordSketch {
  const bins = new Int32Array(BINS).fill(EMPTY);
  for (const { text } of block.texts) addWords(bins, text);
  for (const { name } of block.links) addWords(bins, name);
  return bins;
}

function addWords(bins: WordSketch, text: string): void {
  let word = 0;
  let previous = 0x9e3779b9;
  for (let i = 0; i <= text.length; i++) {
    const c = i < text.length ? text.charCodeAt(i) : 32;
    // A letter of a script without spaces counts as a word: fine enough to sketch with.
    const alone = c >= 0x2e80 || (c >= 0xe00 && c < 0x1100);
    if (c > 32 && !alone) {
      word = Math.imul(word ^ c, 0x01000193);
      continue;
    }
    if (word !== 0) previous = addPair(bins, previous, word);
    if (alone) previous = addPair(bins, previous, c);
    word = 0;
  }
}

function addPair(bins: WordSketch, previous: number, word: number): number {
  let h = previous ^ Math.imul(word, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  h ^= h >>> 15;
  const bin = h >>> BIN_SHIFT;
  const value = h & 0x7ffffff;
  const smallest = bins[bin] as number;
  if (smallest === EMPTY || value < smallest) bins[bin] = value;
  return word;
}

/**
 * Calls `found` for each bin in which an old and a new sketch agree; bins shared by many carry no information and are
 * capped.
 */
export function eachAgreement(
  olds: readonly (WordSketch | undefined)[],
  news: readonly (WordSketch | undefined)[],
  found: (old: number, now: number) => void,
): void {
  const CROWD = 8;
  const holders = new Map<number, number[]>();
  olds.forEach((sketch, o) => {
    for (let bin = 0; sketch && bin < BINS; bin++) {
      if (sketch[bin] === EMPTY) continue;
      const key = bin * 2 ** BIN_SHIFT + (sketch[bin] as number);
      append(holders, key, o);
    }
  });
  news.forEach((sketch, n) => {
    for (let bin = 0; sketch && bin < BINS; bin++) {
      if (sketch[bin] === EMPTY) continue;
      const list = holders.get(bin * 2 ** BIN_SHIFT + (sketch[bin] as number));
      if (list && list.length <= CROWD) for (const o of list) found(o, n);
    }
  });
}

/** The share of equal bins among those that either sketch fills. */
export function sketchSimilarity(a: WordSketch, b: WordSketch): number {
  let filled = 0;
  let equal = 0;
  for (let bin = 0; bin < BINS; bin++) {
    if (a[bin] === EMPTY && b[bin] === EMPTY) continue;
    filled++;
    if (a[bin] === b[bin]) equal++;
  }
  return filled === 0 ? 0 : equal / filled;
}
