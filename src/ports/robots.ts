import type { Exchange } from '../model/exchange.ts';

/** The rules of one origin for our user agent. */
export interface RobotsRules {
  allows(url: string): { readonly allowed: true } | { readonly allowed: false; readonly detail: string };
  /** Milliseconds, when robots.txt asks for one. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
  /** Sitemap lines that name no URL, as written. */
  readonly badSitemaps?: readonly string[];
  /** It is longer than is read: the rest of its rules is not known. */
  readonly cut?: boolean;
}

export interface RobotsReader {
  /** The exchange that ended the chain of redirects; undefined when the server could not be reached. */
  read(exchange: Pick<Exchange, 'url' | 'response'> | undefined): Promise<RobotsRules>;
}
