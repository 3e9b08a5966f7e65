import type { Exchange } from '../model/exchange.ts';

/** The rules of one origin for our user agent. */
export interface RobotsRules {
  allows(url: string): { readonly allowed: true } | { readonly allowed: false; readonly detail: string };
  /** In milliseconds, when robots.txt sets one. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
  /** Sitemap lines that contain no URL, as written. */
  readonly badSitemaps?: readonly string[];
  /** It is longer than what is read: the rest of its rules is unknown. */
  readonly cut?: boolean;
}

export interface RobotsReader {
  /** The exchange that ended the chain of redirects; undefined when the server could not be reached. */
  read(exchange: Pick<Exchange, 'url' | 'response'> | undefined): Promise<RobotsRules>;
}
