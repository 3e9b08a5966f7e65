/**
 * Seeded randomness without a shared state: each stream is named by keys (seed, purpose, day, …), so any part of the
 * world can be drawn in any order and still be the same. xoshiro128** (Blackman and Vigna 2018), seeded by splitmix32
 * from a hash of the keys.
 */
export type RandomKey = string | number;

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number in [0, n). */
  int(n: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `n` different entries, in random order; fewer if the list is shorter. */
  sample<T>(list: readonly T[], n: number): T[];
  /** Exponentially distributed with this mean. */
  delay(mean: number): number;
  poisson(mean: number): number;
}

const rotl = (x: number, k: number): number => (x << k) | (x >>> (32 - k));

function mix(h: number): number {
  let x = h;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** 32-bit hash of a list of keys; keys are delimited, so ('a', 'b') and ('ab') differ. */
export function hashKeys(keys: readonly RandomKey[]): number {
  let h = 0x9e3779b9;
  for (const key of keys) {
    const text = typeof key === 'number' ? `#${key}` : `$${key}`;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h = mix(h + 0x6d2b79f5);
  }
  return h >>> 0;
}

/** One number in [0, 1) for these keys. */
export const uniform = (...keys: RandomKey[]): number => hashKeys(keys) / 4_294_967_296;

export function stream(...keys: RandomKey[]): Random {
  let seed = hashKeys(keys);
  const split = (): number => {
    seed = (seed + 0x9e3779b9) | 0;
    return mix(seed);
  };
  let a = split();
  let b = split();
  let c = split();
  let d = split();

  const next = (): number => {
    const result = Math.imul(rotl(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotl(d, 11);
    return result / 4_294_967_296;
  };
  const int = (n: number): number => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('nothing to pick from: the list is empty');
    return list[int(list.length)] as T;
  };
  return {
    next,
    int,
    pick,
    chance: (probability) => next() < probability,
    sample: (list, n) => {
      const rest = [...list];
      const taken = [];
      while (taken.length < n && rest.length > 0) taken.push(...rest.splice(int(rest.length), 1));
      return taken;
    },
    delay: (mean) => -Math.log(1 - next()) * mean,
    // Knuth's product method; means here stay below 50.
    poisson: (mean) => {
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count++;
      return count;
    },
  };
}
