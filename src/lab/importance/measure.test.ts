import { expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { measureImportance } from './measure.ts';
import { VISIT_ORDERS } from './visit-orders.ts';

const links = new Map([
  ['http://a.org/', ['http://a.org/x', 'http://b.org/']],
  ['http://a.org/x', ['http://a.org/', 'http://b.org/']],
  ['http://b.org/', ['http://a.org/', 'http://c.org/']],
]);

it.each(VISIT_ORDERS)('%s: values add up to 1, the error shrinks, c.org is a site without links', (order) => {
  const { pageRank, opic, sites, error, rankCorrelation } = measureImportance({
    links,
    damping: 0.85,
    visits: 100,
    order,
    random: randomNumbers(1),
  });
  const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
  expect(sum(Object.values(pageRank))).toBeCloseTo(1, 9);
  expect(sum(Object.values(opic))).toBeCloseTo(1, 9);
  expect(Object.keys(sites)).toEqual(['a.org', 'b.org', 'c.org']);
  for (const way of ['theorem', 'uniform', 'outdegree', 'local', 'maximum', 'interSite'] as const)
    expect(sum(Object.values(sites).map((site) => site[way]))).toBeCloseTo(1, 9);
  expect(error).toHaveLength(100);
  expect(error.at(-1)).toBeLessThan((error[0] as number) / 5);
  // Two pages are equally important; rounding breaks the tie.
  expect(rankCorrelation).toBeGreaterThan(0.85);
});
