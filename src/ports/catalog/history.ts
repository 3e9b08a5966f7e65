import type { Truncation } from '../../model/exchange.ts';
import type { Millis } from '../../model/time.ts';

/** A page of a site, and what visits found there. */
export interface PageHistory {
  readonly url: string;
  readonly mime: string;
  /** Of the last payload, in bytes. */
  readonly size: number;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Oldest first; `sha256` is of the payload. */
  readonly visits: readonly { readonly at: Millis; readonly sha256: string }[];
}

/** A page as a finished crawl left it. */
export interface CrawledPage {
  readonly url: string;
  readonly depth: number;
  readonly extraHops: number;
  readonly via?: string;
  /** When that crawl began. */
  readonly crawledAt?: Millis;
}

/** A request for a page that the server answered, with its record. */
export interface AnsweredVisit {
  readonly url: string;
  readonly host: string;
  readonly isSeed: boolean;
  readonly via?: string;
  readonly depth: number;
  /** Changes per second; 0 where nobody asked. */
  readonly rate: number;
  readonly pass: 0 | 1;
  readonly outcome: 'captured' | 'unchanged' | 'failed';
  readonly at: Millis;
  readonly status: number;
  /** Media type; of the original, for a revisit record. */
  readonly mime: string;
  readonly recordId: string;
  readonly sha256: string;
  /** Why the answer is not whole. */
  readonly truncated?: Truncation;
}

/** What earlier visits tell of pages: for planning the next ones, and for certificates. */
export interface HistoryCatalog {
  /** Pages of a site that were captured, with their visits up to the latest 50. */
  pageHistories(site: string): AsyncIterable<PageHistory>;
  /** Pages of a site that finished crawls captured, each as the last of them left it. */
  knownPages(site: string): AsyncIterable<CrawledPage>;
  /** Pages of a host that the last finished crawl captured there. */
  pagesOfLastCrawl(host: string): AsyncIterable<CrawledPage>;
  /** Answered visits to those pages of a crawl that were there, first and second pass, page by page. */
  answeredVisits(crawlId: number): AsyncIterable<AnsweredVisit>;
  /** Visited pages of a host that are not in a second pass yet. */
  unplannedRevisits(crawlId: number, host: string): Promise<readonly AnsweredVisit[]>;
}
