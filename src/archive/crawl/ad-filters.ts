import type { AdFilters } from '../../capture/block/request-blocker.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { cacheFolder } from '../cache-folder.ts';
import { UserError } from '../user-error.ts';

/** Compiled lists take 100 MB and a moment to read: loaded once for all crawls of the process. */
let opened: AdFilters | undefined;

/** The filters of --block-ads; undefined without it. Throws UserError where there are no lists: nothing would be blocked. */
export async function adFilters({ blockAds }: Pick<CrawlSpec, 'blockAds'>): Promise<AdFilters | undefined> {
  if (!blockAds) return undefined;
  if (opened) return opened;
  // The engine is 450 KB of code, which no other crawl needs on its own thread.
  const { openRecogniser } = await import('../../capture/ads/index.ts');
  const { filterOf, fact } = openRecogniser({ cacheFolder: cacheFolder() });
  if (!filterOf) throw new UserError(`--block-ads cannot be heeded: ${fact}`);
  opened = filterOf;
  return filterOf;
}
