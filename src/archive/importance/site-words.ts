import type { WordCatalog } from '../../ports/catalog.ts';
import { infrequentWords, WebWords } from '../../science/importance/infrequent-words.ts';
import { textWeight } from '../../science/importance/text-weight.ts';
import { LEAST_WORDS } from './gather-scores.ts';

export interface SiteWords {
  /** The language of most of its words. */
  readonly language: string;
  readonly infrequentWords: number;
  readonly textWeight: number;
}

/**
 * Words of sites, each treated as one huge document; a site whose languages have no dictionary is left out. Holds the
 * words of these sites in memory.
 */
export async function wordsOfSites(
  catalog: WordCatalog,
  siteOf: ReadonlyMap<number, number>,
  webs: ReadonlyMap<string, WebWords>,
): Promise<ReadonlyMap<number, SiteWords>> {
  const pools = new Map<number, Map<string, Pool>>();
  for await (const { page, language, words, documentBytes } of catalog.pageWords()) {
    const site = siteOf.get(page);
    if (site === undefined || language === undefined || !words) continue;
    const languages = pools.get(site) ?? new Map<string, Pool>();
    pools.set(site, languages);
    const pool = languages.get(language) ?? { words: new WebWords(), bytes: 0, documentBytes: 0 };
    languages.set(language, pool);
    pool.words.add(words);
    pool.bytes += words.bytes;
    pool.documentBytes += documentBytes;
  }
  const found = new Map<number, SiteWords>();
  for (const [site, languages] of pools) {
    const [main] = [...languages].sort(([, a], [, b]) => b.words.total - a.words.total);
    const web = main && webs.get(main[0]);
    if (!main || !web) continue;
    const [language, { words, bytes, documentBytes }] = main;
    const counted = { counts: words.counts, total: words.total, bytes };
    found.set(site, {
      language,
      infrequentWords: infrequentWords(counted, web, { leastWords: LEAST_WORDS }),
      textWeight: textWeight({ words: counted, documentBytes }),
    });
  }
  return found;
}

/** All pages of a site in one language, as one document. */
interface Pool {
  readonly words: WebWords;
  bytes: number;
  documentBytes: number;
}
