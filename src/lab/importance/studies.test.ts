import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { linksOf } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { plantFarm, studyFarm } from './farm-study.ts';
import { readOnline, readThroughChange } from './opic-study.ts';
import { anyGraph, SITE_WAYS, studySites } from './site-study.ts';
import { VISIT_ORDERS } from './visit-orders.ts';
import { rewired, webGraph } from './web-graph.ts';

const shape = { pages: 300, sites: 12, linksPerPage: 8 };
const web = webGraph(shape, randomNumbers(1));

describe('readOnline', () => {
  it.each(VISIT_ORDERS)('%s => the error falls, the ranks agree', (order) => {
    const plan = { order, window: Number.POSITIVE_INFINITY, random: randomNumbers(2) };
    const [few, many] = readOnline(web.graph, [5, 80], plan);
    expect(few?.error).toBeLessThan(0.5);
    expect(many?.error).toBeLessThan((few?.error ?? 0) / 8);
    expect(many?.rankCorrelation).toBeGreaterThan(0.98);
  });

  it('links that did not change => as if read on', () => {
    const plan = { order: 'cyclic', window: 8, random: randomNumbers(3) } as const;
    const through = readThroughChange(web.graph, web.graph, [10], { ...plan, visitsBefore: 10 });
    expect(through[0]?.error).toBeCloseTo(readOnline(web.graph, [20], plan)[0]?.error as number, 12);
  });

  it('links that changed => the window is nearer to the new ones than the whole past', () => {
    const after = rewired(web, webGraph(shape, randomNumbers(9)), 2);
    const errorOf = (window: number): number => {
      const plan = { order: 'cyclic', window, random: randomNumbers(3), visitsBefore: 40 } as const;
      return readThroughChange(web.graph, after, [10], plan)[0]?.error as number;
    };
    expect(errorOf(8)).toBeLessThan(errorOf(Number.POSITIVE_INFINITY) / 2);
  });
});

describe('studySites', () => {
  it.each([
    ['any graph', anyGraph(100, 10, randomNumbers(4))],
    ['power-law web', web],
  ])(
    '%s => the theorem is exact with jumps by pages, and misses with jumps to all sites alike',
    (_, pages) => {
      const { byPages, alike, ways } = studySites(pages);
      expect(byPages).toBeLessThan(1e-8);
      expect(alike).toBeGreaterThan(0.01);
      expect(Object.keys(ways)).toEqual([...SITE_WAYS]);
      for (const way of SITE_WAYS) expect(ways[way].spearman).toBeGreaterThan(0);
    },
  );
});

describe('studyFarm', () => {
  it('a farm of three => they link to the target, each once, and it to them alone', () => {
    const { graph, siteOf } = plantFarm(web, 150, 3);
    expect([...linksOf(graph, 150)]).toEqual([300, 301, 302]);
    for (const page of [300, 301, 302]) expect([...linksOf(graph, page)]).toEqual([150]);
    expect(new Set([150, 300, 301, 302].map((page) => siteOf[page])).size).toBe(1);
  });

  it('no farm => the graph as it was, and the target its PageRank whatever jumps are by page or relevance', () => {
    const [byPage, , byRelevance] = studyFarm(web, 150, 0);
    expect(byPage?.target).toBe(pageRank(web.graph)[150]);
    expect(byRelevance?.target).toBeCloseTo(byPage?.target as number, 9);
  });

  it('farms of 10 and 1000 => by page the site rises with them, by relevance not at all; never above the bound', () => {
    const [few, many] = [10, 1000].map((size) => studyFarm(web, 150, size));
    for (const readings of [few, many])
      for (const { site, bound } of readings ?? []) expect(site).toBeLessThanOrEqual(bound + 1e-9);
    expect(many?.[0]?.site).toBeGreaterThan(2 * (few?.[0]?.site as number));
    expect(many?.[2]?.site).toBeCloseTo(few?.[2]?.site as number, 6);
  });
});
