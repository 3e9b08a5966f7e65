import { expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { Propagation } from './propagation.ts';

interface Graph {
  readonly own: readonly number[];
  readonly links: readonly (readonly number[])[];
}

function randomGraph(random: () => number, pages: number): Graph {
  const links = Array.from({ length: pages }, () =>
    // With links to themselves, repeated links, and pages without any.
    random() < 0.2
      ? []
      : Array.from({ length: 1 + Math.floor(random() * 5) }, () => Math.floor(random() * pages)),
  );
  return { own: links.map(() => 4 * random() - 2), links };
}

/** LᵏX by its definition, over a dense matrix. */
function power({ links }: Graph, vector: readonly number[], k: number): number[] {
  if (k === 0) return [...vector];
  const before = power({ links, own: [] }, vector, k - 1);
  const after = before.map(() => 0);
  links.forEach((targets, page) => {
    const distinct = [...new Set(targets)].filter((target) => target !== page);
    for (const target of distinct)
      after[target] = (after[target] as number) + (before[page] as number) / distinct.length;
  });
  return after;
}

function shuffled(random: () => number, pages: number): number[] {
  const order = Array.from({ length: pages }, (_, i) => i);
  for (let i = pages - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

function expectFormula(flow: Propagation, graph: Graph, depth: number): void {
  const ones = graph.own.map(() => 1);
  const coefficients = Array.from({ length: depth }, (_, k) => 0.7 ** (k + 1));
  const value = graph.own.map((_, page) => graph.own[page] as number);
  for (let k = 1; k <= depth; k++) {
    const [relevance, mass] = [power(graph, graph.own, k), power(graph, ones, k)];
    graph.own.forEach((_, page) => {
      const received = flow.received(page)[k - 1];
      expect(received?.relevance).toBeCloseTo(relevance[page] as number, 10);
      expect(received?.mass).toBeCloseTo(mass[page] as number, 10);
      value[page] = (value[page] as number) + 0.7 ** k * (relevance[page] as number);
    });
  }
  graph.own.forEach((_, page) => {
    expect(flow.value(page, coefficients)).toBeCloseTo(value[page] as number, 10);
  });
}

test.each([1, 2, 3, 5])('random graphs, read in any order, depth %d => V of the matrix formula', (depth) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomNumbers(seed);
    const graph = randomGraph(random, 2 + Math.floor(random() * 30));
    const flow = new Propagation(depth);
    for (const page of shuffled(random, graph.own.length)) {
      flow.read(page, graph.own[page] as number, graph.links[page] as readonly number[]);
      // Settling in between changes nothing at the end.
      if (random() < 0.1) flow.settle((of) => graph.links[of] as readonly number[]);
    }
    flow.settle((of) => graph.links[of] as readonly number[]);
    expect(flow.unsent).toBe(0);
    expectFormula(flow, graph, depth);
  }
});

test('pages read again, with other links and another X => the formula of what they are now', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomNumbers(seed);
    const [old, now] = [randomGraph(random, 12), randomGraph(random, 12)];
    const links = old.links.map((targets) => targets);
    const flow = new Propagation(3);
    for (const page of shuffled(random, 12))
      flow.read(page, old.own[page] as number, links[page] as readonly number[]);
    if (seed % 2 === 0) flow.settle((of) => links[of] as readonly number[]);
    for (const page of shuffled(random, 12)) {
      flow.read(page, now.own[page] as number, now.links[page] as readonly number[], links[page]);
      links[page] = now.links[page] as readonly number[];
    }
    flow.settle((of) => links[of] as readonly number[]);
    expectFormula(flow, now, 3);
  }
});

test('not settled => the errors of each depth add up to no more than what is unsent', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomNumbers(seed);
    const graph = randomGraph(random, 40);
    const flow = new Propagation(4);
    for (const page of shuffled(random, 40))
      flow.read(page, graph.own[page] as number, graph.links[page] as readonly number[]);
    flow.settle((of) => graph.links[of] as readonly number[], 0.5);
    for (let k = 1; k <= 4; k++) {
      const exact = power(graph, graph.own, k);
      const error = exact.reduce(
        (sum, value, page) => sum + Math.abs(value - (flow.received(page)[k - 1]?.relevance ?? 0)),
        0,
      );
      expect(error).toBeLessThanOrEqual(flow.unsent + 1e-9);
    }
  }
});

test('a page that the whole world links to => much relevance, but the mean of those who link to it', () => {
  const flow = new Propagation(1);
  for (let page = 1; page <= 100; page++) flow.read(page, 2, [0]);
  flow.read(101, -3, [0]);
  expect(flow.value(0, [1])).toBe(197);
  expect(flow.means(0)[0]).toBeCloseTo(197 / 101, 12);
});

test('a site that links to itself a million times => nothing rises above what its pages are', () => {
  const flow = new Propagation(2);
  const links = Array.from({ length: 1000 }, (_, page) => page);
  for (const page of links) flow.read(page, 0.5, links);
  flow.settle(() => links);
  expect(Math.max(...flow.means(7))).toBeLessThanOrEqual(0.5 + 1e-12);
});

test('nobody links there, or depth 0 => nothing', () => {
  const flow = new Propagation(2);
  flow.read(0, 1, [0]);
  expect([flow.means(0), flow.means(99), flow.value(0, [1, 1])]).toEqual([[0, 0], [0, 0], 1]);
  const none = new Propagation(0);
  none.read(0, 3, [1]);
  expect([none.value(0, []), none.value(1, [])]).toEqual([3, 0]);
  expect(() => new Propagation(-1)).toThrow('whole number');
});
