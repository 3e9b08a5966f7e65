import type { Millis } from '../../model/time.ts';

export interface SiteSummary {
  readonly site: string;
  readonly pages: number;
  /** Of all that was captured there: pages and their parts. */
  readonly captures: number;
  /** Of its pages alone. */
  readonly pageCaptures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
}

export interface PageSummary {
  readonly url: string;
  readonly title: string;
  readonly captures: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly lastStatus: number;
}

/** What there is to read, site by site. */
export interface PageCatalog {
  sites(): Promise<readonly SiteSummary[]>;
  pages(query: {
    /** This page alone. */
    url?: string;
    site?: string;
    text?: string;
    limit?: number;
    offset?: number;
    /** Only those that come after this URL. */
    after?: string;
  }): Promise<readonly PageSummary[]>;
  links(query: {
    from?: string;
    to?: string;
    limit?: number;
  }): Promise<readonly { from: string; to: string }[]>;
}
