import { expect, test } from 'vitest';
import { Decisions } from '../../model/decisions.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { OnlinePerimeter } from '../../science/perimeter/online-perimeter.ts';
import { fScore } from './criteria-beside.ts';
import { NATION, type NationalWeb, nationalWeb } from './national-web.ts';

const { other: _, ...named } = NATION.domains;
const withLinks = (...connectivity: readonly number[]): PerimeterDefinition => ({
  ...NATION,
  domains: named,
  connectivity,
});

/**
 * F of a crawl that keeps to the perimeter: it reads the pages believed to belong, in the order in which they are
 * found.
 */
function crawlOnline(web: NationalWeb, definition: PerimeterDefinition): number {
  const perimeter = new OnlinePerimeter(definition, new Decisions());
  const queue = web.seeds.map((url) => ({ url, hops: 0 }));
  for (const { url } of queue) perimeter.restoreJoined(web.suspectFacts(url));
  let [inside, right] = [0, 0];
  for (const { url, hops } of queue) {
    const page = web.pages.get(url);
    if (!page) continue;
    const links = web.links.get(url) ?? [];
    const { standing, joined } = perimeter.read({ facts: page.facts, links, hops }, web.suspectFacts, 0);
    // The list grows while it is traversed.
    queue.push(...joined);
    if (!standing.inside) continue;
    inside++;
    if (page.truth) right++;
  }
  const belong = [...web.pages.values()].filter(({ truth }) => truth).length;
  const [precision, recall] = [inside === 0 ? 0 : right / inside, belong === 0 ? 0 : right / belong];
  return fScore(precision, recall);
}

/** Mean F of crawls of these webs. */
function quality(seeds: readonly number[], definition: PerimeterDefinition): number {
  const found = seeds.map((seed) => crawlOnline(nationalWeb(seed, 300), definition));
  return found.reduce((sum, f) => sum + f, 0) / found.length;
}

/** The weights by clicks that were tried; those of the French web are the best on five webs, and are tried on five others. */
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
