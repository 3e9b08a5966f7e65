import type { Crawl, CrawlSpec, CrawlState } from '../../model/crawl.ts';
import type { Millis } from '../../model/exchange.ts';

/** Which crawls there are, and where they stand. */
export interface CrawlCatalog {
  createCrawl(key: string, spec: CrawlSpec, at: Millis): Promise<Crawl>;
  /** The newest crawl with this key that is not finished. */
  unfinishedCrawl(key: string): Promise<Crawl | undefined>;
  setCrawlState(crawlId: number, state: CrawlState, at: Millis): Promise<void>;
  crawls(): Promise<readonly Crawl[]>;
  /** A crawl that is not finished goes on under another spec. */
  changeCrawl(crawlId: number, key: string, spec: CrawlSpec): Promise<void>;
}
