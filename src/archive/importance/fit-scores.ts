import type { NamedValues } from '../../access/importance/page-scores.ts';
import { IMPORTANCE_CRITERIA } from '../../access/importance/page-scores.ts';
import type { SiteCatalog } from '../../ports/catalog.ts';
import { gatherScores, type ScoreCatalog, websOfWords } from './gather-scores.ts';
import { wordsOfSites } from './site-words.ts';

/** Scores of what a person ranked: pages or sites, whichever most of the names are; names without a value are left out. */
export async function scoresOfRanked(
  catalog: ScoreCatalog & SiteCatalog,
  names: readonly string[],
): Promise<{ readonly of: 'pages' | 'sites'; readonly scores: ReadonlyMap<string, NamedValues> }> {
  const isUrl = names.filter((name) => /^https?:\/\//i.test(name)).length * 2 >= names.length;
  return isUrl
    ? { of: 'pages', scores: await ofPages(catalog, names) }
    : { of: 'sites', scores: await ofSites(catalog, new Set(names)) };
}

async function ofPages(
  catalog: ScoreCatalog,
  urls: readonly string[],
): Promise<ReadonlyMap<string, NamedValues>> {
  const scores = await gatherScores(catalog);
  const places = new Map([...scores.pages].map((page, place) => [page, place]));
  // A redirect counts as the page it leads to.
  const numbers = new Map<string, number>();
  for (const url of urls)
    for await (const { page } of catalog.importances({ urls: [url] })) numbers.set(url, page);
  const columns = IMPORTANCE_CRITERIA.map((criterion): [string, NamedValues] => {
    const values = [...numbers].flatMap(([url, page]): [string, number][] => {
      const place = places.get(page);
      const value = place === undefined ? Number.NaN : (scores.values[criterion][place] as number);
      return Number.isNaN(value) ? [] : [[url, value]];
    });
    return [criterion, new Map(values)];
  });
  return new Map(columns.filter(([criterion, values]) => criterion === 'links' || values.size > 0));
}

async function ofSites(
  catalog: ScoreCatalog & SiteCatalog,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, NamedValues>> {
  const scores = await gatherScores(catalog);
  const urls = await catalog.urlsOfPages([...scores.pages]);
  const { siteOf } = catalog.siteBounds();
  const nameOf = new Map<number, string>();
  const sums = { links: new Map<string, number>(), pageRank: new Map<string, number>() };
  scores.pages.forEach((page, place) => {
    const site = siteOf(urls.get(page) ?? '');
    if (!names.has(site)) return;
    nameOf.set(scores.siteIds[place] as number, site);
    for (const criterion of ['links', 'pageRank'] as const)
      sums[criterion].set(
        site,
        (sums[criterion].get(site) ?? 0) + (scores.values[criterion][place] as number),
      );
  });
  const siteOfPage = new Map([...scores.pages].map((page, place) => [page, scores.siteIds[place] as number]));
  const words = await wordsOfSites(catalog, siteOfPage, await websOfWords(catalog));
  const named = (of: 'infrequentWords' | 'textWeight'): NamedValues =>
    new Map([...words].flatMap(([id, found]) => (nameOf.has(id) ? [[nameOf.get(id) ?? '', found[of]]] : [])));
  return new Map<string, NamedValues>([
    ['links', sums.links],
    ['pageRank', sums.pageRank],
    ...(words.size > 0
      ? ([
          ['infrequentWords', named('infrequentWords')],
          ['textWeight', named('textWeight')],
        ] as const)
      : []),
  ]);
}
