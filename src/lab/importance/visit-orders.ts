import { type LinkGraph, linksOf } from '../../science/importance/link-graph.ts';
import type { Opic } from '../../science/importance/opic.ts';

/** Which page is read next: in turn, at random, or the one with most cash, like the paper's *greedy*. */
export const VISIT_ORDERS = ['cyclic', 'random', 'greedy'] as const;
export type VisitOrder = (typeof VISIT_ORDERS)[number];

/** Reads `visits` pages of the graph in an order; calling it again continues. */
export type Reader = (visits: number) => void;

export function reader(opic: Opic, graph: LinkGraph, order: VisitOrder, random: () => number): Reader {
  if (order === 'greedy') return greedyReader(opic, graph);
  let turn = 0;
  return (visits) => {
    for (let k = 0; k < visits; k++) {
      const page = order === 'cyclic' ? turn++ % graph.pages : Math.floor(random() * graph.pages);
      opic.visit(page, linksOf(graph, page));
    }
  };
}

/**
 * A tournament: each node of a binary tree holds the richer of the two below it. When the virtual page pays, all get the
 * same, so no position changes.
 */
function greedyReader(opic: Opic, graph: LinkGraph): Reader {
  const leaves = 2 ** Math.ceil(Math.log2(Math.max(2, graph.pages)));
  const winners = new Int32Array(2 * leaves).fill(-1);
  for (let page = 0; page < graph.pages; page++) winners[leaves + page] = page;
  const play = (node: number): void => {
    const [a, b] = [winners[2 * node] as number, winners[2 * node + 1] as number];
    winners[node] = b < 0 || (a >= 0 && opic.cash(a) >= opic.cash(b)) ? a : b;
  };
  for (let node = leaves - 1; node > 0; node--) play(node);
  const replay = (page: number): void => {
    for (let node = (leaves + page) >> 1; node > 0; node >>= 1) play(node);
  };
  return (visits) => {
    for (let k = 0; k < visits; k++) {
      const page = winners[1] as number;
      const links = linksOf(graph, page);
      opic.visit(page, links);
      replay(page);
      for (const target of links) replay(target);
    }
  };
}
