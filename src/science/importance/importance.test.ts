import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { randomGraph } from '../../../test/science/random-graph.ts';
import { type LinkGraph, linkGraph, linksOf } from './link-graph.ts';
import { Opic, type OpicOptions } from './opic.ts';
import { jumpShares, pageRank } from './page-rank.ts';
import { siteChangeRate } from './site-change-rate.ts';
import { largestOfPages, siteImportance, sumOfPages } from './site-importance.ts';
import { relevanceBySite } from './teleport.ts';

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  sum(Array.from(a, (value, i) => Math.abs(value - (b[i] as number))));

describe('linkGraph', () => {
  it('links twice, to itself, in any order => each other page once, ascending', () => {
    const graph = linkGraph(3, [2, 0, 0, 0, 2, 0], [1, 2, 1, 2, 2, 0]);
    expect([0, 1, 2].map((page) => [...linksOf(graph, page)])).toEqual([[1, 2], [], [1]]);
  });

  it('a page that links to itself, and to another, a million times => as if once', () => {
    const many = new Int32Array(1e6);
    const farm = linkGraph(3, [0, ...many], [1, ...many.fill(2)]);
    expect([...linksOf(farm, 0)]).toEqual([1, 2]);
    const self = linkGraph(3, new Int32Array(1e6), new Int32Array(1e6));
    expect(self.targets).toHaveLength(0);
  });

  it('a link to a page that is not there => refused', () => {
    expect(() => linkGraph(2, [0], [2])).toThrow('leaves the 2 pages');
  });
});

describe('pageRank', () => {
  it('a cycle => all alike; a star => its middle most', () => {
    expect([...pageRank(linkGraph(3, [0, 1, 2], [1, 2, 0]))].map((v) => v.toFixed(6))).toEqual(
      Array(3).fill('0.333333'),
    );
    const [middle = 0, leaf = 0] = pageRank(linkGraph(4, [1, 2, 3], [0, 0, 0]));
    // The middle links nowhere, so it jumps: m = j + 3 · .85 · l, l = j, 3 l + m = 1.
    expect(leaf).toBeCloseTo(1 / (4 + 3 * 0.85), 9);
    expect(middle).toBeCloseTo(1 - 3 * leaf, 9);
  });

  it('random graphs => the fixpoint of the matrix written out', () => {
    const random = randomNumbers(5);
    for (let i = 0; i < 50; i++) {
      const graph = randomGraph(random, 2 + Math.floor(random() * 30));
      const rank = pageRank(graph, { damping: 0.7 });
      expect(sum(rank)).toBeCloseTo(1, 9);
      expect(distance(step(graph, rank, 0.7), rank)).toBeLessThan(1e-8);
    }
  });

  it('a tolerance => it ends after the first round that moves less, which is told', () => {
    const told: number[] = [];
    const tolerance = 1e-3;
    pageRank(randomGraph(randomNumbers(5), 40), { tolerance, onRound: (_, moved) => told.push(moved) });
    expect(told.at(-1)).toBeLessThan(tolerance);
    expect(told.slice(0, -1).every((moved) => moved >= tolerance)).toBe(true);
  });

  it('no page => nothing; relevance => jumps lead there alone', () => {
    expect(pageRank(linkGraph(0, [], []))).toHaveLength(0);
    const rank = pageRank(linkGraph(3, [0], [1]), { relevance: [1, 0, 0] });
    expect(rank[2]).toBe(0);
    expect([...jumpShares(2, [0, 0])]).toEqual([0.5, 0.5]);
  });
});

/** One step of the chain over pages, by the definition. */
function step(graph: LinkGraph, now: ArrayLike<number>, damping: number): number[] {
  const next = new Array<number>(graph.pages).fill(0);
  for (let page = 0; page < graph.pages; page++) {
    const links = linksOf(graph, page);
    const mine = now[page] as number;
    for (const target of links) next[target] = (next[target] as number) + (damping * mine) / links.length;
    const jumping = links.length === 0 ? mine : (1 - damping) * mine;
    for (let other = 0; other < graph.pages; other++)
      next[other] = (next[other] as number) + jumping / graph.pages;
  }
  return next;
}

function opicOf(graph: LinkGraph, options?: OpicOptions): Opic {
  const opic = new Opic(options);
  for (let page = 0; page < graph.pages; page++) opic.add();
  opic.visit(0, linksOf(graph, 0));
  return opic;
}

const shares = (opic: Opic): number[] =>
  Array.from({ length: opic.pages }, (_, page) => opic.importance(page));

describe('Opic', () => {
  it('random graphs, any order, any window => |XL − X| ≤ 2 ÷ total at all times', () => {
    const random = randomNumbers(11);
    let tight = 0;
    for (let i = 0; i < 60; i++) {
      const graph = randomGraph(random, 2 + Math.floor(random() * 20));
      const window = [Number.POSITIVE_INFINITY, 1, 5][i % 3] as number;
      const opic = opicOf(graph, { window });
      for (let visit = 0; visit < 400; visit++) {
        const page = Math.floor(random() * graph.pages);
        opic.visit(page, linksOf(graph, page));
        // With the virtual page, whose share the chain over pages leaves out.
        const { cash, history, handedOn, weight } = opic.state();
        const x = Array.from(
          cash,
          (own, at) => ((history[at] as number) + weight * own) / (handedOn + weight),
        );
        const error = distance(stepWithVirtualPage(graph, x), x);
        expect(error).toBeLessThanOrEqual(2 / opic.total);
        if (error > 0.2 / opic.total) tight++;
      }
    }
    // Otherwise anything would meet the bound.
    expect(tight).toBeGreaterThan(100);
  });

  it('pages read in turns => PageRank', () => {
    const graph = randomGraph(randomNumbers(3), 200);
    const rank = pageRank(graph);
    const errorAfter = (rounds: number): number => {
      const opic = opicOf(graph, { window: Number.POSITIVE_INFINITY });
      for (let i = 0; i < rounds * graph.pages; i++)
        opic.visit(i % graph.pages, linksOf(graph, i % graph.pages));
      expect(sum(shares(opic))).toBeCloseTo(1, 9);
      return distance(shares(opic), rank);
    };
    const [few, many] = [errorAfter(5), errorAfter(80)];
    expect(few).toBeLessThan(0.2);
    expect(many).toBeLessThan(few / 8);
  });

  it('the graph changes => with a window it is followed, without one the past stays', () => {
    const before = randomGraph(randomNumbers(1), 100);
    const after = randomGraph(randomNumbers(2), 100);
    const errorOf = (window: number): number => {
      const opic = opicOf(before, { window });
      for (let i = 0; i < 4000; i++) opic.visit(i % 100, linksOf(i < 3000 ? before : after, i % 100));
      return distance(shares(opic), pageRank(after));
    };
    expect(errorOf(4)).toBeLessThan(errorOf(Number.POSITIVE_INFINITY) / 3);
  });

  it('kept and resumed => the same to the last digit as never stopped', () => {
    const graph = randomGraph(randomNumbers(8), 50);
    const whole = opicOf(graph);
    const before = opicOf(graph);
    for (let i = 0; i < 500; i++) {
      whole.visit(i % 50, linksOf(graph, i % 50));
      before.visit(i % 50, linksOf(graph, i % 50));
    }
    const resumed = Opic.resumed(before.state());
    for (let i = 0; i < 500; i++) {
      whole.visit(i % 50, linksOf(graph, i % 50));
      resumed.visit(i % 50, linksOf(graph, i % 50));
    }
    expect(shares(resumed)).toEqual(shares(whole));
  });

  it('a redirect => the two pages are one, before and after it is resumed', () => {
    const opic = new Opic();
    const [a, b, c] = [opic.add(), opic.add(), opic.add()];
    opic.visit(a, [b]);
    opic.visit(a, [b]);
    const both = opic.importance(b) + opic.importance(c);
    opic.merge(b, c);
    opic.merge(c, b);
    expect(opic.importance(b)).toBeCloseTo(both, 12);
    const resumed = Opic.resumed(opic.state());
    resumed.visit(a, [b]);
    expect(resumed.importance(b)).toBe(resumed.importance(c));
    expect(resumed.importance(a) + resumed.importance(c)).toBeCloseTo(1, 12);
  });

  it('no page, one page without links => 0, then 1', () => {
    const opic = new Opic();
    const page = opic.add();
    for (let i = 0; i < 10; i++) opic.visit(page, []);
    expect(opic.importance(page)).toBeCloseTo(1, 12);
  });

  it('relevance => the virtual page pays by it', () => {
    const opic = new Opic({ window: Number.POSITIVE_INFINITY });
    const [a, b] = [opic.add(3), opic.add(1)];
    for (let i = 0; i < 4000; i++) opic.visit(i % 2 === 0 ? a : b, []);
    expect(opic.importance(a)).toBeCloseTo(0.75, 2);
  });
});

/** The chain that Opic's visits follow: page 0 is the virtual one. */
function stepWithVirtualPage(graph: LinkGraph, now: readonly number[], damping = 0.85): number[] {
  const next = new Array<number>(now.length).fill((now[0] as number) / graph.pages);
  next[0] = 0;
  for (let page = 0; page < graph.pages; page++) {
    const links = linksOf(graph, page);
    const mine = now[page + 1] as number;
    const toLinks = links.length === 0 ? 0 : damping * mine;
    for (const target of links) next[target + 1] = (next[target + 1] as number) + toLinks / links.length;
    next[0] = (next[0] as number) + mine - toLinks;
  }
  return next;
}

describe('sites', () => {
  it('random graphs => the fixpoint of links weighed by PageRank is the sum of the pages', () => {
    const random = randomNumbers(17);
    for (let i = 0; i < 60; i++) {
      const graph = randomGraph(random, 10 + Math.floor(random() * 60));
      const sites = 2 + Math.floor(random() * 6);
      const siteOf = Int32Array.from({ length: graph.pages }, () => Math.floor(random() * sites));
      const pages = { graph, siteOf, sites };
      expect(distance(siteImportance(pages, 'importance'), sumOfPages(pages, pageRank(graph)))).toBeLessThan(
        1e-8,
      );
      for (const weights of ['uniform', 'outdegree', 'local', 'inter-site'] as const)
        expect(sum(siteImportance(pages, weights))).toBeCloseTo(1, 9);
    }
  });

  it('jumps that favour some pages, or pay sites alike => the theorem holds as before', () => {
    const random = randomNumbers(19);
    for (let i = 0; i < 20; i++) {
      const graph = randomGraph(random, 30);
      const siteOf = Int32Array.from({ length: 30 }, () => Math.floor(random() ** 2 * 5));
      const pages = { graph, siteOf, sites: 5 };
      const own = Float64Array.from({ length: 30 }, () => random());
      for (const relevance of [own, relevanceBySite(pages), relevanceBySite(pages, own)]) {
        const sites = siteImportance(pages, 'importance', { relevance });
        expect(distance(sites, sumOfPages(pages, pageRank(graph, { relevance })))).toBeLessThan(1e-8);
      }
    }
  });

  it('a site whose pages all link to one another => no more than its share without', () => {
    const farm = Array.from({ length: 50 }, (_, i) => i + 2);
    const inside = farm.flatMap((from) => farm.map((to) => [from, to] as const));
    const links = [[0, 1], [1, 0], [0, 2], ...inside] as const;
    const graph = linkGraph(
      52,
      links.map(([from]) => from),
      links.map(([, to]) => to),
    );
    const siteOf = Int32Array.from({ length: 52 }, (_, page) => Math.min(page, 2));
    const pages = { graph, siteOf, sites: 3 };
    const [, , farmed = 1] = siteImportance(pages, 'inter-site');
    const [, , believed = 0] = siteImportance(pages, 'importance');
    expect(farmed).toBeLessThan(believed);
    expect(sum(largestOfPages(pages, pageRank(graph)))).toBeCloseTo(1, 9);
  });
});

describe('change rate of a site', () => {
  it('rates 1 and 3 with importance .3 and .1 => (1 · .3 + 3 · .1) ÷ .4', () => {
    const pages = [
      { rate: 1, importance: 0.3 },
      { rate: 3, importance: 0.1 },
    ];
    expect(siteChangeRate(pages)).toBeCloseTo(1.5, 12);
  });
  it('no importance => the mean; no pages => 0', () => {
    expect(siteChangeRate([1, 3].map((rate) => ({ rate, importance: 0 })))).toBe(2);
    expect(siteChangeRate([])).toBe(0);
  });
});
