/**
 * Whose importance a crawl computes: on-line importance of an invented web, with all pages paid equally and with pages paid by
 * their chance of belonging, compared with the nation's importance: PageRank of the whole web with jumps to pages that really
 * belong.
 */
import { Decisions } from '../../model/decisions.ts';
import { CashBook } from '../../science/importance/cash-book.ts';
import { linkGraph } from '../../science/importance/link-graph.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { relevanceOfChance } from '../../science/importance/teleport.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { OnlinePerimeter } from '../../science/perimeter/online-perimeter.ts';
import { rankCorrelation } from '../../science/rates/rank-correlation.ts';
import type { NationalWeb } from './national-web.ts';

export interface RelevantImportance {
  /** Rank correlation with the nation's importance, over the pages read. */
  readonly web: number;
  readonly perimeter: number;
  /** The same over those pages that belong. */
  readonly webInside: number;
  readonly perimeterInside: number;
}

interface Visit {
  readonly url: string;
  readonly chance: number;
  readonly suspects: readonly { readonly url: string; readonly chance: number }[];
}

/** @param rounds number of crawls, each of which reads all pages believed to belong */
export function relevantImportance(
  web: NationalWeb,
  definition: PerimeterDefinition,
  rounds: number,
): RelevantImportance {
  const urls = [...web.pages.keys()];
  const idOf = new Map(urls.map((url, id) => [url, id]));
  const linksOf = (url: string): number[] => (web.links.get(url) ?? []).map((to) => idOf.get(to) as number);
  const from = urls.flatMap((url, id) => linksOf(url).map(() => id));
  const graph = linkGraph(
    urls.length,
    from,
    urls.flatMap((url) => linksOf(url)),
  );
  const truth = Float64Array.from(urls, (url) => Number(web.pages.get(url)?.truth));
  const wanted = pageRank(graph, { relevance: truth });
  const visits = visitsOf(web, definition);
  const read = visits.map(({ url }) => idOf.get(url) as number);
  const inside = read.filter((id) => truth[id] === 1);
  const agreement = (isPaid: boolean, pages: readonly number[]): number => {
    const book = new CashBook();
    for (const part of book.missing(idOf.values())) book.put(part, undefined);
    for (let round = 0; round < rounds; round++) {
      for (const { url, chance, suspects } of visits) {
        book.visit(idOf.get(url) as number, linksOf(url));
        for (const one of isPaid ? [...suspects, { url, chance }] : [])
          book.setRelevance(idOf.get(one.url) as number, relevanceOfChance(one.chance));
      }
      book.release();
    }
    return rankCorrelation(
      pages.map((id) => book.page(id)?.importance ?? 0),
      pages.map((id) => wanted[id] as number),
    );
  };
  return {
    web: agreement(false, read),
    perimeter: agreement(true, read),
    webInside: agreement(false, inside),
    perimeterInside: agreement(true, inside),
  };
}

/** In the order in which a crawl reads the pages believed to belong. */
function visitsOf(web: NationalWeb, definition: PerimeterDefinition): readonly Visit[] {
  const perimeter = new OnlinePerimeter(definition, new Decisions());
  const queue = web.seeds.map((url) => ({ url, hops: 0 }));
  for (const { url } of queue) perimeter.restoreJoined(web.suspectFacts(url));
  const visits: Visit[] = [];
  for (const { url, hops } of queue) {
    const page = web.pages.get(url);
    if (!page) continue;
    const links = web.links.get(url) ?? [];
    const found = perimeter.read({ facts: page.facts, links, hops }, web.suspectFacts, 0);
    queue.push(...found.joined);
    visits.push({ url, chance: found.standing.chance, suspects: found.suspects });
  }
  return visits;
}
