import type { CrawlSpec } from '../../model/crawl.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';

/**
 * Whether a scope, a decision or a perimeter may bring a page into the crawl: always, except in a refresh, which reads
 * one site; other sites have their own turn.
 */
export function mayJoin(
  { refresh }: Pick<CrawlSpec, 'refresh'>,
  { siteOf }: Pick<SiteBounds, 'siteOf'>,
): (url: string) => boolean {
  return refresh ? (url) => URL.canParse(url) && siteOf(url) === refresh.site : () => true;
}
