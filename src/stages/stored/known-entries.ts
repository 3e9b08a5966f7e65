import { type NewFrontierEntry, RANKS } from '../../model/crawl.ts';
import { decisionWords } from '../../model/decision.ts';
import type { Millis } from '../../model/time.ts';
import type { CrawledPage } from '../../ports/catalog.ts';
import type { Scope } from '../../ports/scope.ts';
import type { PageRates } from '../page-rates.ts';

/**
 * Of the pages that earlier crawls left, those that belong to this one too, each once. The order assigns rank and place, except
 * where a person has decided.
 */
export function knownEntries(
  pages: Iterable<CrawledPage>,
  now: Millis,
  { scope, rates }: { readonly scope: Scope; readonly rates: PageRates },
): NewFrontierEntry[] {
  const entries = new Map<string, NewFrontierEntry>();
  for (const { url, depth, extraHops, via, crawledAt } of pages) {
    const origin = { url: via ?? url, depth: Math.max(0, depth - 1), extraHops };
    const verdict = scope.judgeLink(url, origin, now);
    if (!verdict.inside) continue;
    entries.set(verdict.url, {
      kind: 'page',
      url: verdict.url,
      host: verdict.host,
      depth,
      extraHops: verdict.extraHops,
      redirects: 0,
      rank: verdict.decision ? RANKS.decided : 0,
      rate: rates.rateOf(verdict.url, depth, now),
      reason: verdict.decision ? decisionWords(verdict.decision) : knownWords(crawledAt),
      isSeed: false,
      ...(via !== undefined && { via }),
    });
  }
  return [...entries.values()];
}

/** The capture from which the page is known, if any. */
const knownWords = (crawledAt: Millis | undefined): string =>
  crawledAt === undefined ? '' : `known from the capture of ${new Date(crawledAt).toISOString()}`;
