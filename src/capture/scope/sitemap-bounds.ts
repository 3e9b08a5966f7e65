/**
 * A sitemap index may name 50,000 sitemaps, and a server may make them up without end: indexes that name indexes, or ever
 * more of them. So the number read per host is limited, and an index within an index within an index is refused: the
 * protocol allows no nesting at all.
 */
import { type Trap, trapped } from './url-traps.ts';

export interface SitemapBounds {
  /** @param from the sitemap or page that names it */
  judge(url: string, from: string): Trap | undefined;
  observe(url: string, from?: string): void;
}

const NESTING = 3;

export function createSitemapBounds(limit: number): SitemapBounds {
  /** Nesting depth of each; what robots.txt names, and what an earlier run of the crawl found, is at 1. */
  const depths = new Map<string, number>();
  const perHost = new Map<string, number>();
  const depthOf = (from: string | undefined): number =>
    1 + (from === undefined ? 0 : (depths.get(from) ?? 0));

  return {
    judge(url, from) {
      if (depths.has(url)) return undefined;
      const { host } = new URL(url);
      if (depthOf(from) > NESTING)
        return trapped('trap-sitemaps', `sitemap indexes of ${host} nested more than ${NESTING} deep`);
      if ((perHost.get(host) ?? 0) < limit) return undefined;
      return trapped('trap-sitemaps', `${limit} sitemaps of ${host} are known`);
    },
    observe(url, from) {
      if (depths.has(url)) return;
      const { host } = new URL(url);
      depths.set(url, depthOf(from));
      perHost.set(host, (perHost.get(host) ?? 0) + 1);
    },
  };
}
