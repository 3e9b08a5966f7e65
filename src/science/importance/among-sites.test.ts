import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { amongSites } from './among-sites.ts';
import { linkGraph } from './link-graph.ts';
import { pageRank } from './page-rank.ts';
import { sumOfPages } from './site-importance.ts';

/** Pages of ten sites, with some links among them; site 9 adds this many pages that all link to each other's first. */
function web(farm: number) {
  const random = randomNumbers(6);
  const [from, to]: [number[], number[]] = [[], []];
  const siteOf: number[] = Array.from({ length: 50 }, (_, page) => Math.floor(page / 5));
  for (let page = 0; page < 50; page++) {
    for (let k = 0; k < 3; k++) {
      from.push(page);
      to.push(Math.floor(random() * 45));
    }
  }
  for (let k = 0; k < farm; k++) {
    siteOf.push(9);
    from.push(50 + k, 50 + k, 45);
    to.push(45, 50 + ((k + 1) % farm), 50 + k);
  }
  const graph = linkGraph(siteOf.length, from, to);
  return { graph, siteOf: Int32Array.from(siteOf), sites: 10 };
}

describe('amongSites', () => {
  it('a site that links to itself from 20,000 more pages => no site has more or less than before', () => {
    const [before, after] = [web(0), web(20_000)].map((pages) =>
      sumOfPages(pages, amongSites(pages, pageRank(pages.graph))),
    );
    for (const [site, value] of after?.entries() ?? [])
      expect(value).toBeCloseTo(before?.[site] as number, 10);
    // By pages alone it takes nearly everything.
    const farm = web(20_000);
    expect(sumOfPages(farm, pageRank(farm.graph))[9]).toBeGreaterThan(0.9);
  });

  it('any web => adds up to 1, and pages of one site stand as their own importance says', () => {
    const pages = web(7);
    const rank = pageRank(pages.graph);
    const among = amongSites(pages, rank);
    expect(among.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    expect((among[46] as number) / (among[45] as number)).toBeCloseTo(
      (rank[46] as number) / (rank[45] as number),
      9,
    );
  });

  it('one site of one page, no page => 1, nothing', () => {
    const one = { graph: linkGraph(1, [0], [0]), siteOf: new Int32Array(1), sites: 1 };
    expect([...amongSites(one, [1])]).toEqual([1]);
    expect(amongSites({ graph: linkGraph(0, [], []), siteOf: new Int32Array(), sites: 0 }, [])).toHaveLength(
      0,
    );
  });
});
