import type { RankedPageView, RankedSiteView, RankingView } from '../../access/importance/importance-text.ts';
import {
  combinedImportance,
  IMPORTANCE_CRITERIA,
  importanceOfSites,
  mostImportant,
  type PageScores,
  scaleOf,
  type Weights,
} from '../../access/importance/page-scores.ts';
import type { Decisions } from '../../model/decisions.ts';
import type { Millis } from '../../model/time.ts';
import type { SiteCatalog } from '../../ports/catalog.ts';
import { gatherScores, type ScoreCatalog, websOfWords } from './gather-scores.ts';
import { type SiteWords, wordsOfSites } from './site-words.ts';

export interface RankOptions {
  readonly weights: Weights;
  /** People's decisions; a `weight` multiplies. */
  readonly decisions: Decisions;
  readonly now: Millis;
  readonly limit: number;
  readonly site?: string;
}

type RankCatalog = ScoreCatalog & SiteCatalog;

/** URLs looked up at a time. */
const NAMES = 10_000;

export async function rankArchive(catalog: RankCatalog, options: RankOptions): Promise<RankingView> {
  const scores = await gatherScores(catalog);
  const importance = await weighed(catalog, scores, options);
  const out = await decidedOut(catalog, scores, options);
  for (const place of out) importance[place] = 0;
  const { siteOf } = catalog.siteBounds();
  const sites = importanceOfSites(scores, importance);
  const siteNames = await namesOfSites(catalog, scores, siteOf);
  const meant = [...siteNames].find(([, name]) => name === options.site)?.[0];
  const places = mostImportant(
    importance,
    options.limit,
    (place) => !out.has(place) && (options.site === undefined || scores.siteIds[place] === meant),
  );
  const urls = await catalog.urlsOfPages(places.map((place) => scores.pages[place] as number));
  const pages = places.map((place): RankedPageView => {
    const url = urls.get(scores.pages[place] as number) ?? '';
    return { url, site: siteOf(url), ...viewOf(scores, importance, place) };
  });
  const outOf = new Map<number, number>();
  for (const place of out) {
    const site = scores.siteIds[place] as number;
    outOf.set(site, (outOf.get(site) ?? 0) + 1);
  }
  const ranked = [...sites]
    .map(([id, sum]) => [id, { ...sum, pages: sum.pages - (outOf.get(id) ?? 0) }] as const)
    .filter(([, { pages: left }]) => left > 0)
    .map(([id, sum]) => ({ id, site: siteNames.get(id) ?? '', ...sum }))
    .filter(({ site }) => options.site === undefined || site === options.site)
    .sort((a, b) => b.importance - a.importance || (a.site < b.site ? -1 : 1))
    .slice(0, options.limit);
  const words = await wordsOf(catalog, scores, new Set(ranked.map(({ id }) => id)));
  const withWords = ranked.map(({ id, ...site }): RankedSiteView => ({ ...site, ...words.get(id) }));
  const read = scores.pages.length;
  return { figures: await catalog.bookFigures(), pages, sites: withWords, read, decidedOut: out.size };
}

/** Pages that people have decided to leave out: they were read before, but matter to nobody who asks. */
async function decidedOut(
  catalog: RankCatalog,
  { pages }: PageScores,
  { decisions, now }: Pick<RankOptions, 'decisions' | 'now'>,
): Promise<ReadonlySet<number>> {
  const out = new Set<number>();
  if (decisions.version === 0) return out;
  for (let from = 0; from < pages.length; from += NAMES) {
    const urls = await catalog.urlsOfPages([...pages.subarray(from, from + NAMES)]);
    for (let place = from; place < Math.min(from + NAMES, pages.length); place++) {
      const url = urls.get(pages[place] as number) ?? '';
      if (decisions.on(url, now).verdict?.act.kind === 'out') out.add(place);
    }
  }
  return out;
}

/** Only for these sites. */
async function wordsOf(
  catalog: ScoreCatalog,
  { pages, siteIds }: PageScores,
  sites: ReadonlySet<number>,
): Promise<ReadonlyMap<number, SiteWords>> {
  const siteOf = new Map<number, number>();
  pages.forEach((page, place) => {
    const site = siteIds[place] as number;
    if (sites.has(site)) siteOf.set(page, site);
  });
  return wordsOfSites(catalog, siteOf, await websOfWords(catalog));
}

/** The numbers of one page, without those that are unknown. */
export function viewOf(
  scores: PageScores,
  importance: Float64Array,
  place: number,
): Omit<RankedPageView, 'url' | 'site'> {
  const values = IMPORTANCE_CRITERIA.map(
    (criterion) => [criterion, scores.values[criterion][place] as number] as const,
  );
  return {
    importance: importance[place] as number,
    online: scores.online[place] as number,
    linksIn: scores.linksIn[place] as number,
    ...Object.fromEntries(values.filter(([, value]) => !Number.isNaN(value))),
  };
}

/** Weighted by people's decisions; these name URLs, which are looked up only where there are decisions. */
export async function weighed(
  catalog: RankCatalog,
  scores: PageScores,
  { weights, decisions, now }: Pick<RankOptions, 'weights' | 'decisions' | 'now'>,
): Promise<Float64Array> {
  const scale = scaleOf(scores, weights);
  if (decisions.version === 0) return combinedImportance(scores, scale);
  const factors = new Map<number, number>();
  for (let from = 0; from < scores.pages.length; from += NAMES) {
    const urls = await catalog.urlsOfPages([...scores.pages.subarray(from, from + NAMES)]);
    for (let place = from; place < Math.min(from + NAMES, scores.pages.length); place++) {
      const factor = decidedFactor(decisions, urls.get(scores.pages[place] as number) ?? '', now);
      if (factor !== 1) factors.set(place, factor);
    }
  }
  return combinedImportance(scores, scale, (place) => factors.get(place) ?? 1);
}

/** The factor that people's decisions apply to a page's importance; 1 where there is none. */
export function decidedFactor(decisions: Pick<Decisions, 'on'>, url: string, now: Millis): number {
  const act = decisions.on(url, now).weight?.act;
  return act?.kind === 'weight' ? act.factor : 1;
}

/** Each found through one of its pages. */
async function namesOfSites(
  catalog: ScoreCatalog,
  { siteIds, pages }: PageScores,
  siteOf: (url: string) => string,
): Promise<ReadonlyMap<number, string>> {
  const first = new Map<number, number>();
  siteIds.forEach((site, place) => {
    if (!first.has(site)) first.set(site, pages[place] as number);
  });
  const urls = await catalog.urlsOfPages([...first.values()]);
  return new Map([...first].map(([site, page]) => [site, siteOf(urls.get(page) ?? '')]));
}
