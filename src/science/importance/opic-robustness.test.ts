import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { randomGraph } from '../../../test/science/random-graph.ts';
import { linkGraph, linksOf } from './link-graph.ts';
import { Opic } from './opic.ts';
import { pageRank } from './page-rank.ts';
import { sumOfPages } from './site-importance.ts';
import { mostImportance, relevanceBySite } from './teleport.ts';

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  sum(Array.from(a, (value, i) => Math.abs(value - (b[i] as number))));
const shares = (opic: Opic): number[] =>
  Array.from({ length: opic.pages }, (_, page) => opic.importance(page));
const inTurns = (opic: Opic, graph: Parameters<typeof linksOf>[0], visits: number): void => {
  for (let i = 0; i < visits; i++) opic.visit(i % graph.pages, linksOf(graph, i % graph.pages));
};

describe('rounding', () => {
  it('two million visits => cash still adds up to 1, histories to what was handed on', () => {
    const graph = randomGraph(randomNumbers(4), 30, 2);
    const opic = new Opic();
    for (let page = 0; page < graph.pages; page++) opic.add();
    inTurns(opic, graph, 2 ** 21 + 77);
    const { cash, history, handedOn } = opic.state();
    expect(Math.abs(sum(cash) - 1)).toBeLessThan(1e-12);
    expect(Math.abs(sum(history) / handedOn - 1)).toBeLessThan(1e-12);
    expect(sum(shares(opic))).toBeCloseTo(1, 12);
  });

  it('cash that had drifted by a thousandth => 1 again at the next balance, in the same proportions', () => {
    const before = new Opic();
    const [a, b] = [before.add(), before.add()];
    for (let i = 0; i < 50; i++) before.visit(i % 2 === 0 ? a : b, [i % 2 === 0 ? b : a]);
    const state = before.state();
    const drifted = { ...state, cash: state.cash.map((cash) => cash * 1.001), visits: 2 ** 20 - 1 };
    const opic = Opic.resumed(drifted);
    opic.visit(a, [b]);
    expect(sum(opic.state().cash)).toBeCloseTo(1, 15);
    before.visit(a, [b]);
    expect(opic.cash(b)).toBeCloseTo(before.cash(b), 12);
  });
});

describe('redirects', () => {
  it('a chain of 10,000 => all are the last', () => {
    const opic = new Opic();
    for (let page = 0; page < 10_001; page++) opic.add();
    opic.visit(0, [1]);
    for (let page = 0; page < 10_000; page++) opic.merge(page, page + 1);
    opic.visit(5000, []);
    expect(opic.importance(0)).toBeCloseTo(1, 12);
    expect(new Set([0, 1, 5000, 10_000].map((page) => opic.importance(page))).size).toBe(1);
    expect(Opic.resumed(opic.state()).importance(0)).toBe(opic.importance(10_000));
  });

  it('rows that name a page under two addresses, or itself under another => as if it were named once, or not', () => {
    // 3 redirects to 1, so that row 0 is [1, 2] and row 1 is [2].
    const rows = [[1, 2, 3], [2, 3], [0], []];
    const opic = new Opic({ window: Number.POSITIVE_INFINITY });
    for (let page = 0; page < 4; page++) opic.add();
    opic.merge(3, 1);
    for (let i = 0; i < 3000; i++) opic.visit(i % 3, rows[i % 3] as number[]);
    const rank = pageRank(linkGraph(3, [0, 0, 1, 2], [1, 2, 2, 0]));
    expect(
      distance(
        [0, 1, 2].map((page) => opic.importance(page)),
        rank,
      ),
    ).toBeLessThan(0.005);
  });
});

describe('relevance', () => {
  it('0 everywhere => all are paid alike, as PageRank does', () => {
    const graph = randomGraph(randomNumbers(6), 40);
    const opic = new Opic({ window: Number.POSITIVE_INFINITY });
    for (let page = 0; page < graph.pages; page++) opic.add(0);
    inTurns(opic, graph, 8000);
    expect(distance(shares(opic), pageRank(graph, { relevance: new Float64Array(40) }))).toBeLessThan(0.02);
  });

  it('by site => PageRank with each site paid alike, pages of one by their relevance', () => {
    const random = randomNumbers(13);
    const graph = randomGraph(random, 60);
    const siteOf = Int32Array.from({ length: 60 }, (_, page) => Math.floor(Math.sqrt(page)));
    const own = Float64Array.from({ length: 60 }, () => random());
    const opic = new Opic({ window: Number.POSITIVE_INFINITY });
    for (let page = 0; page < 60; page++) opic.add(own[page], siteOf[page]);
    inTurns(opic, graph, 60 * 200);
    const relevance = relevanceBySite({ siteOf, sites: 8 }, own);
    expect(sumOfPages({ graph, siteOf, sites: 8 }, relevance).every((all) => Math.abs(all - 1) < 1e-12)).toBe(
      true,
    );
    expect(distance(shares(opic), pageRank(graph, { relevance }))).toBeLessThan(0.02);
  });

  it('not a number, below 0 => refused; a page or link that is not there => refused, and nothing moves', () => {
    const opic = new Opic();
    opic.add();
    expect(() => opic.setRelevance(0, Number.NaN)).toThrow('relevance is a finite number >= 0, not NaN');
    expect(() => opic.add(-1)).toThrow('not -1');
    const before = opic.state();
    expect(() => opic.visit(7, [])).toThrow('page 7 was not added');
    expect(() => opic.visit(0, [9])).toThrow('page 9 was not added');
    expect(opic.state()).toEqual(before);
    expect(() => opic.add(1, 3)).toThrow('either all pages have a site, or none');
    expect(opic.state()).toEqual(before);
  });
});

it('pages found while others are read => PageRank of all in the end, cash adds up at all times', () => {
  const graph = randomGraph(randomNumbers(21), 120);
  const opic = new Opic({ window: 8 });
  const random = randomNumbers(22);
  for (let visit = 0; visit < 120 * 100; visit++) {
    const known = Math.min(120, 5 + Math.floor(visit / 20));
    while (opic.pages < known) opic.add();
    const page = Math.floor(random() * known);
    opic.visit(
      page,
      [...linksOf(graph, page)].filter((target) => target < known),
    );
    if (visit % 1000 === 0) expect(sum(opic.state().cash)).toBeCloseTo(1, 12);
  }
  expect(distance(shares(opic), pageRank(graph))).toBeLessThan(0.15);
});

it('stopped and resumed every 100 visits, with sites, relevance, redirects and a balance => equal to the last digit', () => {
  const graph = randomGraph(randomNumbers(31), 40);
  const begin = (): Opic => {
    const opic = new Opic({ window: 3 });
    for (let page = 0; page < 40; page++) opic.add(1 + (page % 3), page % 5);
    opic.merge(7, 11);
    return Opic.resumed({ ...opic.state(), visits: 2 ** 20 - 500 }, { window: 3 });
  };
  const whole = begin();
  let broken = begin();
  for (let i = 0; i < 1000; i++) {
    whole.visit(i % 40, linksOf(graph, i % 40));
    if (i % 100 === 50) broken = Opic.resumed(structuredClone(broken.state()), { window: 3 });
    broken.visit(i % 40, linksOf(graph, i % 40));
    if (i === 600) for (const opic of [whole, broken]) opic.merge(opic.add(2, 9), 3);
  }
  expect(broken.state()).toEqual(whole.state());
});

describe('a farm: pages that only link to one another and to a page of their site', () => {
  const web = randomGraph(randomNumbers(41), 300);
  /** Page 150 is the farm's; this many more pages belong to it. */
  const farmed = (pages: number) => {
    const [from, to]: [number[], number[]] = [[], []];
    for (let page = 0; page < 300; page++) {
      if (page === 150) continue;
      for (const target of linksOf(web, page)) {
        from.push(page);
        to.push(target);
      }
    }
    for (let page = 300; page < 300 + pages; page++) {
      from.push(page, 150);
      to.push(150, page);
    }
    const siteOf = Int32Array.from({ length: 300 + pages }, (_, page) => (page < 300 ? page % 30 : 0));
    siteOf[150] = 0;
    return { graph: linkGraph(300 + pages, from, to), siteOf, sites: 30 };
  };
  const siteShare = (pages: ReturnType<typeof farmed>, relevance?: Float64Array): number =>
    sumOfPages(pages, pageRank(pages.graph, relevance && { relevance }))[0] as number;

  it('paid by page => it rises with its pages; paid by site => it does not, however many there are', () => {
    const byPage = [10, 100, 1000].map((pages) => siteShare(farmed(pages)));
    expect(byPage[2]).toBeGreaterThan(5 * (byPage[0] as number));
    const bySite = [10, 100, 1000].map((pages) => siteShare(farmed(pages), relevanceBySite(farmed(pages))));
    for (const share of bySite) expect(share).toBeLessThan(1.3 * (bySite[0] as number));
    expect(bySite[2]).toBeLessThan((byPage[2] as number) / 4);
  });

  it.each([0, 10, 1000])('%i pages => no more than jumps and links from outside allow', (pages) => {
    const { graph, siteOf } = farmed(pages);
    const rank = pageRank(graph);
    let [jumping, links, all, here] = [0, 0, 0, 0];
    for (let page = 0; page < graph.pages; page++) {
      const [value, targets] = [rank[page] as number, linksOf(graph, page)];
      jumping += targets.length === 0 ? value : 0.15 * value;
      all++;
      if (siteOf[page] === 0) here++;
      else for (const target of targets) if (siteOf[target] === 0) links += value / targets.length;
    }
    const most = mostImportance({ jumps: (jumping * here) / all, links }, 0.85);
    const share = siteShare(farmed(pages));
    expect(share).toBeLessThanOrEqual(most + 1e-9);
    expect(share).toBeGreaterThan(most / 7);
  });
});
