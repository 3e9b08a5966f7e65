import { expect, test } from 'vitest';
import { NATION, nationalWeb } from './national-web.ts';
import { relevantImportance } from './relevant-importance.ts';

const { other: _, ...named } = NATION.domains;

/* Why `importance: web` is the default of a perimeter: see decisions/0034. */
test('five invented webs, three crawls => pages paid by their chance rank no nearer to the importance of the nation', () => {
  const found = [1, 2, 3, 4, 5].map((seed) =>
    relevantImportance(nationalWeb(seed, 150), { ...NATION, domains: named, connectivity: [0.3, 0.25] }, 3),
  );
  const mean = (key: 'web' | 'perimeter'): number =>
    found.reduce((sum, one) => sum + one[key], 0) / found.length;
  expect(mean('web')).toBeGreaterThan(mean('perimeter'));
  expect(mean('perimeter')).toBeGreaterThan(0.7);
});
