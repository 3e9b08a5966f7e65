import type { CrawlSpec } from '../../model/crawl.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';

/** Which pages a crawl may take, by its scope, a decision or a perimeter: all, but for a refresh, which reads one site; others have their turn. */
export function mayJoin(
  { refresh }: Pick<CrawlSpec, 'refresh'>,
  { siteOf }: Pick<SiteBounds, 'siteOf'>,
): (url: string) => boolean {
  return refresh ? (url) => URL.canParse(url) && siteOf(url) === refresh.site : () => true;
}
