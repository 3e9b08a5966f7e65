import { type CrawlSpec, isRendered } from '../../model/crawl.ts';

/**
 * Whether the pages of a handed crawl are analysed by a job of their own. Not where the delta of a page decides what is
 * kept of it (`--store important`), nor where pages are filled into the layouts of earlier ones (`--templates`): those
 * are analysed as they come.
 */
export const isAnalysedLater = (
  spec: Pick<CrawlSpec, 'render' | 'seedScopes' | 'store' | 'templates'>,
): boolean => isRendered(spec) && (spec.store ?? 'all') === 'all' && !spec.templates;

const OF_SITE = 'site:';

/** The queue in which crawls of a site wait. */
export const queueOfSite = (site: string): string => `${OF_SITE}${site}`;
export const siteOfQueue = (queue: string): string =>
  queue.startsWith(OF_SITE) ? queue.slice(OF_SITE.length) : queue;
