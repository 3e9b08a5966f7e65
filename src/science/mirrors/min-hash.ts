/**
 * Signatures of sets, by which sets that resemble each other are found without comparing all pairs.
 *
 * Broder: On the resemblance and containment of documents. SEQUENCES 1997. The smallest hash of a set under a random permutation
 * is the same for two sets with probability |A ∩ B| / |A ∪ B|, their resemblance: the share of k permutations under which it is
 * the same estimates it, with a standard error of at most 1/(2√k).
 *
 *   k → SIGNATURE, permutations     h_i(x) = (a_i·h(x) + b_i) mod 2³²
 *
 * Departure: linear hashing of one 32-bit hash in place of permutations, as is usual; the bias is below the error.
 * Cost: k multiplications per item.
 */

/** Standard error of the estimate: at most .044. */
export const SIGNATURE = 128;

export type Signature = Uint32Array;

/** a_i odd, so that no hash is lost; from a fixed sequence, so that the same set has the same signature everywhere. */
const [FACTORS, SHIFTS] = coefficients();

function coefficients(): readonly [Uint32Array, Uint32Array] {
  let state = 0x2545f491;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const factors = Uint32Array.from({ length: SIGNATURE }, () => (next() | 1) >>> 0);
  return [factors, Uint32Array.from({ length: SIGNATURE }, next)];
}

/** All empty sets share one signature, and no other set has it. */
export function signatureOf(items: Iterable<string>): Signature {
  const least = new Uint32Array(SIGNATURE).fill(0xffffffff);
  for (const item of items) {
    const hash = mixed(item);
    for (let i = 0; i < SIGNATURE; i++) {
      const value = (Math.imul(FACTORS[i] as number, hash) + (SHIFTS[i] as number)) >>> 0;
      if (value < (least[i] as number)) least[i] = value;
    }
  }
  return least;
}

/** FNV-1a with the finaliser of MurmurHash3, without which items that differ only at the end have similar hashes. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
