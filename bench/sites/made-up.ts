/** Text and links that are the same in every run. */

/** A linear congruential generator: numbers in [0, below). */
export function numbers(seed: number): (below: number) => number {
  let state = (Math.imul(seed, 2_654_435_761) + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS = Array.from({ length: 4000 }, (_, i) => {
  const next = numbers(i + 7);
  const syllables = ['ka', 'ro', 'min', 'te', 'lu', 'sar', 'vi', 'on', 'de', 'pral'];
  return Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join('');
});

export function sentence(next: (below: number) => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[next(WORDS.length)]).join(' ');
}

export const pagePath = (n: number): string => (n === 0 ? '/' : `/section-${n % 23}/story-${n}.html`);

/**
 * Whom page `n` of `count` links to: its children in a tree of eight branches, its parent, ten navigation
 * pages, and pages anywhere.
 */
export function linksOf(n: number, count: number, links: number): number[] {
  const next = numbers(n + 1);
  const found = new Set<number>();
  for (let child = n * 8 + 1; child <= n * 8 + 8 && child < count; child++) found.add(child);
  if (n > 0) found.add((n - 1) >> 3);
  for (let i = 0; i < Math.min(10, count); i++) found.add(i);
  while (found.size < Math.min(links, count)) found.add(next(count));
  return [...found];
}
