/** The link scores with which a ranking is compared. */
import type { SitesOfPages } from '../../science/importance/site-importance.ts';
import type { SiteValues } from './measure.ts';
import { measureRanking, type RankingInput, type RankingReport } from './ranking.ts';

interface Measured {
  readonly ids: ReadonlyMap<string, number>;
  readonly siteIds: ReadonlyMap<string, number>;
  readonly pages: SitesOfPages;
  readonly rank: Float64Array;
  readonly by: Readonly<Record<keyof SiteValues, Float64Array>>;
}

/** People rank pages or sites: whichever most of their names are. */
export function rankedBy(input: RankingInput, { ids, siteIds, pages, rank, by }: Measured): RankingReport {
  const known = (names: ReadonlyMap<string, number>): number =>
    [...input.first.keys()].filter((name) => names.has(name)).length;
  const column = (names: ReadonlyMap<string, number>, of: (id: number) => number) =>
    new Map([...names].map(([name, id]) => [name, of(id)]));
  if (known(siteIds) > known(ids)) {
    const scores = Object.entries(by).map(
      ([way, values]) => [way, column(siteIds, (id) => values[id] as number)] as const,
    );
    return measureRanking('sites', new Map(scores), input);
  }
  const linked = new Int32Array(pages.graph.pages);
  for (const target of pages.graph.targets) linked[target] = (linked[target] as number) + 1;
  const scores = new Map([
    ['PageRank', column(ids, (id) => rank[id] as number)],
    ['links to it', column(ids, (id) => linked[id] as number)],
    ['its site', column(ids, (id) => by.theorem[pages.siteOf[id] as number] as number)],
  ]);
  return measureRanking('pages', scores, input);
}
