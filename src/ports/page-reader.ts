import type { Exchange } from '../model/exchange.ts';

export interface PageContent {
  readonly title: string;
  /** Absolute URLs. */
  readonly links: readonly string[];
  /** What the page embeds. */
  readonly resources: readonly string[];
  /** Limits hit while reading, e.g. a body that unpacks to more than is read. */
  readonly facts: readonly string[];
}

export interface SitemapContent {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
  readonly facts: readonly string[];
}

/** What is read: an answer and where it came from, fresh from the web or out of the archive. */
export type Document = Pick<Exchange, 'url' | 'response'>;

/** Reads links and titles out of what was captured: HTML, CSS, feeds, sitemaps. Never throws for content. */
export interface PageReader {
  read(document: Document): Promise<PageContent>;
  readSitemap(document: Document): Promise<SitemapContent>;
}
