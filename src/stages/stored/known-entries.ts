import type { NewFrontierEntry } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { CrawledPage } from '../../ports/catalog.ts';
import type { Scope } from '../../ports/scope.ts';
import type { PageRates } from '../page-rates.ts';

/** Of the pages that earlier crawls left, those that belong to this one too, each once; rank and reason are for the order to give. */
export function knownEntries(
  pages: Iterable<CrawledPage>,
  now: Millis,
  { scope, rates }: { readonly scope: Scope; readonly rates: PageRates },
): NewFrontierEntry[] {
  const entries = new Map<string, NewFrontierEntry>();
  for (const { url, depth, extraHops, via } of pages) {
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
      rank: 0,
      rate: rates.rateOf(verdict.url, depth, now),
      reason: '',
      isSeed: false,
      ...(via !== undefined && { via }),
    });
  }
  return [...entries.values()];
}
