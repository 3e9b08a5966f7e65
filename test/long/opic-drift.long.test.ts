import { expect, it } from 'vitest';
import { linksOf } from '../../src/science/importance/link-graph.ts';
import { Opic } from '../../src/science/importance/opic.ts';
import { pageRank } from '../../src/science/importance/page-rank.ts';
import { randomNumbers } from '../random-numbers.ts';
import { randomGraph } from '../science/random-graph.ts';

const VISITS = 1e8;

it.each([
  ['the whole past', Number.POSITIVE_INFINITY],
  ['a window of 8 rounds', 8],
])(
  'a hundred million visits over 1000 pages, %s => cash is 1, shares add up to 1, and PageRank comes out',
  (_, window) => {
    const graph = randomGraph(randomNumbers(2), 1000, 2);
    const rows = Array.from({ length: 1000 }, (_row, page) => linksOf(graph, page));
    const opic = new Opic({ window });
    for (let page = 0; page < 1000; page++) opic.add();
    for (let i = 0; i < VISITS; i++) opic.visit(i % 1000, rows[i % 1000] as Int32Array);
    const { cash, history, handedOn } = opic.state();
    const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
    const shares = Array.from({ length: 1000 }, (_share, page) => opic.importance(page));
    const rank = pageRank(graph);
    const error = sum(shares.map((share, page) => Math.abs(share - (rank[page] as number))));
    console.log({
      cash: sum(cash) - 1,
      history: sum(history) / handedOn - 1,
      shares: sum(shares) - 1,
      error,
    });
    expect(Math.abs(sum(cash) - 1)).toBeLessThan(1e-11);
    expect(Math.abs(sum(history) / handedOn - 1)).toBeLessThan(1e-11);
    expect(Math.abs(sum(shares) - 1)).toBeLessThan(1e-11);
    expect(error).toBeLessThan(window === 8 ? 0.1 : 1e-4);
  },
);
