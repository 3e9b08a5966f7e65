/** How soon on-line importance approaches PageRank, by the order in which pages are read; and after links have changed. */
import type { LinkGraph } from '../../science/importance/link-graph.ts';
import { Opic } from '../../science/importance/opic.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { rankCorrelation } from '../../science/rates/rank-correlation.ts';
import { reader, type VisitOrder } from './visit-orders.ts';

export interface OpicReading {
  /** Mean visits per page; for a changed graph, since the change. */
  readonly visits: number;
  /** L1 distance from PageRank: 2 if nothing is right. */
  readonly error: number;
  /** Spearman's, with PageRank. */
  readonly rankCorrelation: number;
}

export interface OpicPlan {
  readonly order: VisitOrder;
  readonly window: number;
  readonly random: () => number;
}

/** `looks`: visits per page after which a reading is taken, ascending. */
export function readOnline(graph: LinkGraph, looks: readonly number[], plan: OpicPlan): OpicReading[] {
  return look(begun(graph, plan), graph, looks, plan);
}

/** Reads every page `visitsBefore` times, then the links change, and readings are taken from then on. */
export function readThroughChange(
  before: LinkGraph,
  after: LinkGraph,
  looks: readonly number[],
  plan: OpicPlan & { readonly visitsBefore: number },
): OpicReading[] {
  const opic = begun(before, plan);
  reader(opic, before, plan.order, plan.random)(plan.visitsBefore * before.pages);
  return look(opic, after, looks, plan);
}

function begun({ pages }: LinkGraph, { window }: OpicPlan): Opic {
  const opic = new Opic({ window });
  for (let page = 0; page < pages; page++) opic.add();
  return opic;
}

function look(
  opic: Opic,
  graph: LinkGraph,
  looks: readonly number[],
  { order, random }: OpicPlan,
): OpicReading[] {
  const rank = pageRank(graph);
  const read = reader(opic, graph, order, random);
  let done = 0;
  return looks.map((visits) => {
    read((visits - done) * graph.pages);
    done = visits;
    const online = Float64Array.from({ length: graph.pages }, (_, page) => opic.importance(page));
    const error = online.reduce((sum, value, page) => sum + Math.abs(value - (rank[page] as number)), 0);
    return { visits, error, rankCorrelation: rankCorrelation(online, rank) };
  });
}
