import type { Crawl, CrawlSpec, CrawlState } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';

export interface OpenedCrawl {
  readonly crawl: Crawl;
  readonly isNew: boolean;
}

/** How a crawl begins, continues and ends. */
export interface CrawlCatalog {
  createCrawl(key: string, spec: CrawlSpec, at: Millis): Promise<Crawl>;
  /** The newest crawl with this key that is not finished, or a new one. Of several processes that ask at once one makes it. */
  openCrawl(key: string, spec: CrawlSpec, at: Millis): Promise<OpenedCrawl>;
  /** The newest crawl with this key that is not finished. */
  unfinishedCrawl(key: string): Promise<Crawl | undefined>;
  /** Whether there is a crawl with this key that began then. */
  hasCrawl(key: string, startedAt: Millis): Promise<boolean>;
  setCrawlState(crawlId: number, state: CrawlState, at: Millis): Promise<void>;
  /**
   * A crawl that is being restored from its log. It is not visible before its state is set; what an earlier attempt
   * left unfinished is forgotten.
   */
  beginRestoring(key: string, spec: CrawlSpec, at: Millis): Promise<number>;
  /** An unfinished crawl continues under another spec. */
  changeCrawl(crawlId: number, key: string, spec: CrawlSpec): Promise<void>;
}
