/** Random draws from distributions; the source of randomness is an argument. */

/** In [0, 1), the same numbers for the same seed: Numerical Recipes' linear congruential generator. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const exponential = (random: () => number): number => -Math.log(1 - random());

/** By inversion where the mean is small; by a normal approximation where it is large. */
export function poisson(mean: number, random: () => number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let left = random();
  let chance = Math.exp(-mean);
  let count = 0;
  while (left > chance && count < 1000) {
    left -= chance;
    count++;
    chance *= mean / count;
  }
  return count;
}

/** Marsaglia and Tsang 2000. */
export function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
