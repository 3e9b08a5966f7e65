import type { ExplainedPage } from '../../access/importance/explained-text.ts';
import { IMPORTANCE_CRITERIA, scaleOf } from '../../access/importance/page-scores.ts';
import type { SiteCatalog } from '../../ports/catalog.ts';
import { mostInfrequent } from '../../science/importance/infrequent-words.ts';
import { UserError } from '../user-error.ts';
import { gatherScores, LEAST_WORDS, type ScoreCatalog, websOfWords } from './gather-scores.ts';
import { decidedFactor, type RankOptions, viewOf, weighed } from './rank-archive.ts';

/** Words listed of those that make a page special. */
const WORDS = 8;

/** Every number behind the importance of one page. */
export async function explainPage(
  catalog: ScoreCatalog & SiteCatalog,
  url: string,
  options: Omit<RankOptions, 'limit' | 'site'>,
): Promise<ExplainedPage> {
  const [number] = (await catalog.pageNumbers([url])).values();
  const book = await firstOf(catalog, url);
  if (number === undefined || !book)
    throw new UserError(`${url} is not among the pages that were read, nor among those they link to`);
  const { page, isRead, cash, history, importance: online } = book;
  const figures = await catalog.bookFigures();
  const base = {
    url: book.url,
    ...(book.url !== url && { redirectedFrom: url }),
    site: catalog.siteBounds().siteOf(book.url),
    ...{ isRead, cash, history, online, figures },
  };
  const scores = await gatherScores(catalog);
  const place = scores.pages.indexOf(page);
  if (place < 0) return base;
  const importance = await weighed(catalog, scores, options);
  const mine = importance[place] as number;
  const scale = scaleOf(scores, options.weights);
  const decision = options.decisions.on(book.url, options.now).weight;
  return {
    ...base,
    scores: {
      ...viewOf(scores, importance, place),
      rank: 1 + importance.reduce((above, value) => above + (value > mine ? 1 : 0), 0),
      pages: scores.pages.length,
      linkingSites: scores.linkingSites(place),
      weights: Object.fromEntries(
        IMPORTANCE_CRITERIA.map((criterion) => [criterion, scale[criterion].weight]),
      ),
      factor: decidedFactor(options.decisions, book.url, options.now),
      ...(decision && { decidedBy: decision.by, decidedWhy: decision.why }),
      ...(await wordsOf(catalog, page)),
    },
  };
}

async function firstOf(catalog: ScoreCatalog, url: string) {
  for await (const page of catalog.importances({ urls: [url] })) return page;
  return undefined;
}

async function wordsOf(catalog: ScoreCatalog, page: number) {
  for await (const stored of catalog.pageWords()) {
    if (stored.page !== page) continue;
    const { language, words, documentBytes } = stored;
    if (!words || language === undefined)
      return { text: { documentBytes, ...(language !== undefined && { language }) } };
    const web = (await websOfWords(catalog)).get(language);
    const special = web ? mostInfrequent(words, web, WORDS, { leastWords: LEAST_WORDS }) : [];
    return {
      text: { language, documentBytes, words: words.total, wordBytes: words.bytes, special },
    };
  }
  return {};
}
