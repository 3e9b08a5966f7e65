/**
 * What `lab importance` reports: importance of the pages and sites of a graph of links, on-line compared with the
 * fixpoint.
 */
import { linkGraph } from '../../science/importance/link-graph.ts';
import { Opic } from '../../science/importance/opic.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { SITE_MEASURES, type SiteMeasure, siteValues } from '../../science/importance/site-values.ts';
import { rankCorrelation } from '../../science/rates/rank-correlation.ts';
import { experiment, Skipped } from '../experiment/experiment.ts';
import { type RankingInput, type RankingReport, rankingText } from './ranking.ts';
import { rankedBy } from './ranking-scores.ts';
import { reader, type VisitOrder } from './visit-orders.ts';

export interface ImportanceInput {
  readonly links: ReadonlyMap<string, readonly string[]>;
  readonly damping: number;
  /** Mean visits per page. */
  readonly visits: number;
  readonly order: VisitOrder;
  readonly random: () => number;
  /** People's rankings of pages or sites. */
  readonly ranking?: RankingInput;
}

type Values = Readonly<Record<string, number>>;

/** Importance of a site by the theorem, and by the cheaper weights. */
export type SiteValues = Readonly<Record<SiteMeasure, number>>;

export interface ImportanceReport {
  readonly pageRank: Values;
  readonly opic: Values;
  readonly sites: Readonly<Record<string, SiteValues>>;
  /** L1 distance of on-line importance from PageRank after 1, 2, … visits per page. */
  readonly error: readonly number[];
  /** With PageRank, after all visits. */
  readonly rankCorrelation: number;
  /** Of each way to weigh links between sites, with the theorem's values. */
  readonly siteRankCorrelation: Readonly<Record<Exclude<keyof SiteValues, 'theorem'>, number>>;
  readonly ranking?: RankingReport;
}

/** `http://a.org:8/b` => `a.org:8`; a name that is not a URL belongs to the part before its first slash. */
const siteOfPage = (page: string): string =>
  URL.canParse(page) ? new URL(page).host : (page.split('/').find((part) => part !== '') ?? page);

export function measureImportance(input: ImportanceInput): ImportanceReport {
  const { links, damping, visits, order, random } = input;
  const ids = new Map<string, number>();
  const idOf = (page: string): number => {
    const known = ids.get(page) ?? ids.size;
    ids.set(page, known);
    return known;
  };
  const [from, to]: [number[], number[]] = [[], []];
  for (const [page, targets] of links) {
    for (const target of targets) {
      from.push(idOf(page));
      to.push(idOf(target));
    }
  }
  const graph = linkGraph(ids.size, from, to);
  const rank = pageRank(graph, { damping });
  const opic = new Opic({ damping, window: Number.POSITIVE_INFINITY });
  for (let page = 0; page < graph.pages; page++) opic.add();
  const read = reader(opic, graph, order, random);
  const online = new Float64Array(graph.pages);
  const error = Array.from({ length: visits }, () => {
    read(graph.pages);
    let distance = 0;
    for (let page = 0; page < graph.pages; page++) {
      online[page] = opic.importance(page);
      distance += Math.abs((online[page] as number) - (rank[page] as number));
    }
    return distance;
  });
  const siteIds = new Map<string, number>();
  const siteOf = Int32Array.from(ids.keys(), (page) => {
    const site = siteOfPage(page);
    const known = siteIds.get(site) ?? siteIds.size;
    siteIds.set(site, known);
    return known;
  });
  const pages = { graph, siteOf, sites: siteIds.size };
  const by = siteValues(pages, rank, damping);
  const like = (values: Float64Array): number => rankCorrelation(values, by.theorem);
  return {
    pageRank: named(ids, rank),
    opic: named(ids, online),
    sites: Object.fromEntries(
      [...siteIds].map(([site, id]) => [
        site,
        Object.fromEntries(
          SITE_MEASURES.map((measure) => [measure, by[measure][id] as number]),
        ) as SiteValues,
      ]),
    ),
    error,
    rankCorrelation: rankCorrelation(online, rank),
    siteRankCorrelation: {
      uniform: like(by.uniform),
      outdegree: like(by.outdegree),
      local: like(by.local),
      maximum: like(by.maximum),
      interSite: like(by.interSite),
    },
    ...(input.ranking && { ranking: rankedBy(input.ranking, { ids, siteIds, pages, rank, by }) }),
  };
}

const named = (ids: ReadonlyMap<string, number>, values: Float64Array): Values =>
  Object.fromEntries([...ids].map(([name, id]) => [name, values[id] as number]));

/** Further rows are for `--json`. */
const MOST_ROWS = 30;
const top = <T>(values: Readonly<Record<string, T>>, by: (value: T) => number): [string, T][] =>
  Object.entries(values)
    .sort(([, a], [, b]) => by(b) - by(a))
    .slice(0, MOST_ROWS);

export const importance = experiment<ImportanceInput, ImportanceReport>({
  name: 'importance',
  title: 'Importance of pages and sites',
  method:
    'PageRank by power iteration, OPIC by visits, sites by the sum of their pages and by cheaper weights of links.',
  measure: (input) => {
    const report = measureImportance(input);
    return report.ranking?.ranked === 0
      ? new Skipped('none of the ranked names is a page or a site of the links')
      : report;
  },
  rows: ({ pageRank: rank, opic }) =>
    Object.entries(rank).map(([page, value]) => ({ page, pageRank: value, opic: opic[page] })),
  text: ({
    pageRank: rank,
    opic,
    sites,
    error,
    rankCorrelation: pages,
    siteRankCorrelation: like,
    ranking,
  }) => [
    {
      title: `Pages, the first ${MOST_ROWS} by PageRank`,
      header: ['page', 'PageRank', 'OPIC'],
      rows: top(rank, (value) => value).map(([page, value]) => [
        page,
        value.toFixed(5),
        (opic[page] ?? 0).toFixed(5),
      ]),
    },
    {
      title: `Sites, the first ${MOST_ROWS} by the theorem`,
      header: ['site', 'theorem', 'uniform', 'outdegree', 'local', 'maximum', 'inter-site'],
      rows: top(sites, ({ theorem }) => theorem).map(([site, { theorem, interSite, ...others }]) => [
        site,
        ...[theorem, others.uniform, others.outdegree, others.local, others.maximum, interSite].map((value) =>
          value.toFixed(5),
        ),
      ]),
    },
    `OPIC after ${error.length} visits a page: L1 error ${(error.at(-1) ?? 0).toFixed(4)}, rank correlation with PageRank ${pages.toFixed(3)}`,
    `Rank correlation of sites with the theorem: ${Object.entries(like)
      .map(([name, value]) => `${name} ${value.toFixed(3)}`)
      .join(', ')}`,
    ...(ranking ? rankingText(ranking) : []),
  ],
  data: (report) => report,
  plots: ({ error }) => [
    {
      title: 'Error of on-line importance',
      x: 'visits a page',
      y: 'L1 distance from PageRank',
      kind: 'lines',
      logY: true,
      series: [{ name: 'OPIC', points: error.map((y, k) => ({ x: k + 1, y })) }],
    },
  ],
});
