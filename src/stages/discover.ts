import type { FrontierEntry, NewFrontierEntry, Skip } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { Perimeter, PerimeterVerdict } from '../ports/perimeter.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';

/** Served before any page: what a page embeds or redirects to belongs to its moment. */
const AT_ONCE = -1e12;

export interface Discovery {
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
}

export interface Finds {
  readonly links: readonly string[];
  readonly resources: readonly string[];
  /** Further sitemaps named by a sitemap. */
  readonly sitemaps?: readonly string[];
  readonly redirect?: string;
}

export interface DiscoverContext {
  readonly perimeter: Perimeter;
  readonly order: SiteOrder;
  /** Number of this page among those that discovered something. */
  readonly batch: number;
  readonly now: Millis;
}

/** Turns what a page names into frontier entries and stored skips. */
export function discover(from: FrontierEntry, finds: Finds, context: DiscoverContext): Discovery {
  const { perimeter, order, batch, now } = context;
  const origin = { url: from.url, depth: from.depth, extraHops: from.extraHops };
  const discovered: NewFrontierEntry[] = [];
  const skips: Skip[] = [];
  const seen = new Set<string>([from.url]);

  const add = (
    verdict: PerimeterVerdict,
    entry: (
      inside: Extract<PerimeterVerdict, { inside: true }>,
    ) => Partial<NewFrontierEntry> & Pick<NewFrontierEntry, 'kind' | 'rank' | 'reason'>,
  ): void => {
    if (seen.has(verdict.url)) return;
    seen.add(verdict.url);
    if (!verdict.inside) {
      skips.push({
        url: verdict.url,
        reason: verdict.reason,
        detail: verdict.detail,
        depth: from.depth + 1,
        via: from.url,
      });
      return;
    }
    const { url, host, depth, extraHops } = verdict;
    discovered.push({
      url,
      host,
      depth,
      extraHops,
      redirects: 0,
      isSeed: false,
      via: from.url,
      ...entry(verdict),
    });
  };

  if (finds.redirect !== undefined) {
    const verdict = perimeter.judgeRedirect(finds.redirect, { ...origin, isSeed: from.isSeed }, now);
    add(verdict, () => ({
      kind: from.kind,
      rank: AT_ONCE + batch,
      reason: `redirect from ${from.url}`,
      redirects: from.redirects + 1,
      isSeed: from.isSeed,
    }));
  }
  for (const href of finds.resources) {
    add(perimeter.judgeResource(href, origin, now), () => ({
      kind: 'resource',
      rank: AT_ONCE + batch,
      reason: `embedded in ${from.url}`,
    }));
  }
  for (const href of finds.sitemaps ?? []) {
    add(perimeter.judgeResource(href, origin, now), () => ({
      kind: 'sitemap',
      rank: AT_ONCE + batch,
      reason: `named by the sitemap ${from.url}`,
    }));
  }
  finds.links.forEach((href, index) => {
    add(perimeter.judgeLink(href, origin, now), ({ url, depth }) => {
      const candidate = { url, depth, batch, index };
      return { kind: 'page', rank: order.rank(candidate), reason: order.reason(candidate) };
    });
  });
  return { discovered, skips };
}

/** The sitemaps that robots.txt names, as entries: read before any page, at the depth of a seed. */
export function sitemapEntries(
  sitemaps: readonly string[],
  pageUrl: string,
  perimeter: Perimeter,
): readonly NewFrontierEntry[] {
  return sitemaps.flatMap((href) => {
    const verdict = perimeter.judgeResource(href, { url: pageUrl, depth: 0, extraHops: 0 }, 0);
    if (!verdict.inside) return [];
    const { url, host, depth, extraHops } = verdict;
    const reason = 'sitemap named by robots.txt';
    return [
      { kind: 'sitemap', url, host, depth, extraHops, redirects: 0, rank: AT_ONCE, reason, isSeed: false },
    ];
  });
}
