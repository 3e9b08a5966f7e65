import { expect, test } from 'vitest';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { NATION, nationalWeb } from './national-web.ts';
import { crawlOnline } from './online-nation.ts';

const { other: _, ...named } = NATION.domains;
const withLinks = (...connectivity: readonly number[]): PerimeterDefinition => ({
  ...NATION,
  domains: named,
  connectivity,
});

/** Mean F of crawls of these webs. */
function quality(seeds: readonly number[], definition: PerimeterDefinition): number {
  const found = seeds.map((seed) => crawlOnline(nationalWeb(seed, 300), definition).f);
  return found.reduce((sum, f) => sum + f, 0) / found.length;
}

/** Weights by clicks that were tried; those of the French web are the best on five webs, and are tried on five others. */
const TRIED = [
  [0, 0],
  [0.1, 0.5],
  [0.3, 0.25],
  [0.5, 0.25],
  [0.75, 0],
  [1, 0.5],
] as const;

test('weights by clicks on five invented webs => [0.3, 0.25] is best; on five others better than as guessed, or without links', () => {
  const best = TRIED.map((weights) => ({
    weights,
    f: quality([1, 2, 3, 4, 5], withLinks(...weights)),
  })).toSorted((a, b) => b.f - a.f)[0];
  expect(best?.weights).toEqual([0.3, 0.25]);
  const others = [11, 12, 13, 14, 15];
  const chosen = quality(others, withLinks(0.3, 0.25));
  expect(chosen).toBeGreaterThan(quality(others, NATION) + 0.01);
  expect(chosen).toBeGreaterThan(quality(others, withLinks(0, 0)) + 0.05);
});
