/** The theorem on sites, and the cheaper ways to weigh links between them, on invented webs. */
import { linkGraph } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { type RankAgreement, rankAgreement } from '../../science/importance/rank-agreement.ts';
import {
  largestOfPages,
  type SitesOfPages,
  siteImportance,
  sumOfPages,
} from '../../science/importance/site-importance.ts';

/** The paper's ways, by the names that it uses or would use. */
export const SITE_WAYS = ['equal', 'outdegree', 'local', 'maximum', 'inter-site only'] as const;
export type SiteWay = (typeof SITE_WAYS)[number];

export interface SiteStudy {
  /**
   * L1 distance of the fixpoint over sites from the sums of their pages: with jumps to sites by their pages, and to all
   * equally.
   */
  readonly byPages: number;
  readonly alike: number;
  readonly ways: Readonly<
    Record<SiteWay, { readonly error: number } & Pick<RankAgreement, 'kendall' | 'spearman'>>
  >;
}

export function studySites(web: SitesOfPages): SiteStudy {
  const importance = pageRank(web.graph);
  const sums = sumOfPages(web, importance);
  const siteJumps = new Float64Array(web.sites).fill(1 / web.sites);
  const way = (values: Float64Array) => {
    const { kendall, spearman } = rankAgreement(values, sums);
    return { error: distance(values, sums), kendall, spearman };
  };
  return {
    byPages: distance(siteImportance(web, 'importance', { importance }), sums),
    alike: distance(siteImportance(web, 'importance', { importance, siteJumps }), sums),
    ways: {
      equal: way(siteImportance(web, 'uniform')),
      outdegree: way(siteImportance(web, 'outdegree')),
      local: way(siteImportance(web, 'local')),
      maximum: way(largestOfPages(web, importance)),
      'inter-site only': way(siteImportance(web, 'inter-site', { importance })),
    },
  };
}

/** Pages that link anywhere, four times on average, and belong to random sites: nothing like a web. */
export function anyGraph(pages: number, sites: number, random: () => number): SitesOfPages {
  const [from, to]: [number[], number[]] = [[], []];
  for (let page = 0; page < pages; page++) {
    for (let links = Math.floor(random() * 9); links > 0; links--) {
      from.push(page);
      to.push(Math.floor(random() * pages));
    }
  }
  const siteOf = Int32Array.from({ length: pages }, () => Math.floor(random() * sites));
  return { graph: linkGraph(pages, from, to), siteOf, sites };
}

const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0);
