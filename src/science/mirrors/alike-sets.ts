/**
 * Pairs of sets that may resemble each other, by their signatures in bands (locality-sensitive hashing; Indyk, Motwani: STOC
 * 1998). Two sets meet in a band with probability s^r, s their resemblance, and in one of b bands with 1 − (1 − s^r)^b: with
 * r = 4 and b = 32, .28 at s = .3, .87 at .5, .9996 at .7.
 *
 * Departure: sets that meet in one band are paired only with the first of them, so that a thousand hosts that show the same
 * default page make a thousand pairs, not half a million. Two that resemble each other, but not the first, meet in
 * another band or are missed.
 *
 * Cost: b look-ups per set.
 */
import { SIGNATURE, type Signature } from './min-hash.ts';

const ROWS = 4;
const BANDS = SIGNATURE / ROWS;

export interface Signed {
  readonly name: string;
  /** Only sets of one kind are compared. */
  readonly kind: string;
  readonly signature: Signature;
}

/** Indices of the two, the smaller first; each pair once. */
export function alikePairs(sets: readonly Signed[]): readonly (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (let band = 0; band < BANDS; band++) {
    const firsts = new Map<string, number>();
    sets.forEach(({ kind, name, signature }, i) => {
      const key = `${kind} ${signature.subarray(band * ROWS, (band + 1) * ROWS).join()}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, i);
      else if (sets[first]?.name !== name) pairs.set(`${first} ${i}`, [first, i]);
    });
  }
  return [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d);
}
