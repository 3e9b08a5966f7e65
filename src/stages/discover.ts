import {
  type CrawlSpec,
  type FrontierEntry,
  type NewFrontierEntry,
  RANKS,
  type Skip,
} from '../model/crawl.ts';
import { decisionWords } from '../model/decision.ts';
import type { LostRequest } from '../model/lost-request.ts';
import type { Clock } from '../ports/clock.ts';
import type { SitemapHint } from '../ports/page-reader.ts';
import type { BlockedRequest } from '../ports/renderer.ts';
import type { Scope, ScopeVerdict } from '../ports/scope.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import type { PageRates } from './page-rates.ts';

/** Served before any page: what a page embeds or redirects to belongs to the same moment. */
const AT_ONCE = RANKS.atOnce;

export interface Discovery {
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
}

export interface Finds {
  readonly links: readonly string[];
  readonly resources: readonly string[];
  /** What the browser requested without success. */
  readonly lost?: readonly LostRequest[];
  /** What rules kept the page from loading. */
  readonly blocked?: readonly BlockedRequest[];
  /** Further sitemaps named by a sitemap. */
  readonly sitemaps?: readonly string[];
  readonly redirect?: string;
  /** What a sitemap says about the pages it names. */
  readonly hints?: ReadonlyMap<string, SitemapHint>;
}

export interface DiscoverContext {
  readonly scope: Scope;
  readonly order: SiteOrder;
  readonly rates: Pick<PageRates, 'rateOf'>;
  /** Pages that may still join the schedule; those beyond the page limit wait in reserve. */
  readonly room: number;
  /** Sequence number of this page among those that discovered something. */
  readonly batch: number;
  readonly clock: Clock;
  /** Pages and sitemaps that a sitemap dates outside these are not taken from it. */
  readonly sitemapDates?: CrawlSpec['sitemapDates'];
  /** Links to these are passed over: they are in the frontier. */
  readonly named?: { has(url: string): boolean };
}

/**
 * Links judged before other work gets its turn, a millisecond or two: a page with 20,000 of them kept the answers of all
 * other hosts waiting for seconds.
 */
export const LINKS_PER_TURN = 200;

/** Turns what a page names into frontier entries and stored skips. */
export async function discover(
  from: FrontierEntry,
  finds: Finds,
  context: DiscoverContext,
): Promise<Discovery> {
  const { scope, order, rates, room, batch, clock } = context;
  const now = clock.now();
  const origin = { url: from.url, depth: from.depth, extraHops: from.extraHops };
  const discovered: NewFrontierEntry[] = [];
  const skips: Skip[] = [];
  const seen = new Set<string>([from.url]);

  const add = (
    verdict: ScopeVerdict,
    entry: (
      inside: Extract<ScopeVerdict, { inside: true }>,
    ) => Partial<NewFrontierEntry> & Pick<NewFrontierEntry, 'kind' | 'rank' | 'reason'>,
  ): void => {
    if (seen.has(verdict.url)) return;
    seen.add(verdict.url);
    if (!verdict.inside) {
      skips.push(skipOf(verdict, from));
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
    const verdict = scope.judgeRedirect(finds.redirect, { ...origin, isSeed: from.isSeed }, now);
    add(verdict, ({ url, depth }) => ({
      kind: from.kind,
      ...(from.kind === 'page' && { rate: rates.rateOf(url, depth, now) }),
      rank: AT_ONCE + batch,
      reason: `redirect from ${from.url}`,
      redirects: from.redirects + 1,
      isSeed: from.isSeed,
    }));
  }
  let judged = 0;
  // A plain test before the `await`: a promise for each link of a page was a fiftieth of everything a crawl allocates.
  const isTurnOver = (): boolean => ++judged % LINKS_PER_TURN === 0;
  for (const href of finds.resources) {
    add(scope.judgeResource(href, origin, now), () => ({
      kind: 'resource',
      rank: AT_ONCE + batch,
      reason: `embedded in ${from.url}`,
    }));
    if (isTurnOver()) await clock.sleep(0);
  }
  for (const { url, type, why, remedy } of finds.lost ?? []) {
    if (isTurnOver()) await clock.sleep(0);
    if (remedy === 'unrepeatable') {
      if (seen.has(url)) continue;
      seen.add(url);
      const detail = `${type}: ${why}`;
      skips.push({ url, reason: 'unrepeatable', detail, depth: from.depth + 1, via: from.url });
    } else {
      add(scope.judgeResource(url, origin, now), () => ({
        kind: 'lost',
        rank: AT_ONCE + batch,
        reason: `asked for in vain by the browser (${why}), embedded in ${from.url}`,
      }));
    }
  }
  for (const { url, reason, rule } of finds.blocked ?? []) {
    if (seen.has(url)) continue;
    seen.add(url);
    skips.push({ url, reason, detail: rule, depth: from.depth + 1, via: from.url });
  }
  const dates = context.sitemapDates;
  /** By its stated date; without one it may be of any. A sitemap is as old as the newest page in it. */
  const isDatedOut = (href: string, isSitemap: boolean): boolean => {
    const told = dates && finds.hints?.get(href)?.lastModified;
    if (!dates || told === undefined) return false;
    const outside =
      told < (dates.from ?? Number.NEGATIVE_INFINITY) || (!isSitemap && told > (dates.to ?? told));
    if (outside && !seen.has(href)) {
      seen.add(href);
      const detail = datesWords(dates);
      skips.push({ url: href, reason: 'sitemap-date', detail, depth: from.depth + 1, via: from.url });
    }
    return outside;
  };
  for (const href of finds.sitemaps ?? []) {
    if (isDatedOut(href, true)) continue;
    add(scope.judgeSitemap(href, origin, now), () => ({
      kind: 'sitemap',
      rank: AT_ONCE + batch,
      reason: `named by the sitemap ${from.url}`,
    }));
    if (isTurnOver()) await clock.sleep(0);
  }
  // By number: what iterates over pairs makes an object for each link of each page.
  for (let index = 0; index < finds.links.length; index++) {
    const href = finds.links[index] as string;
    if (context.named?.has(href)) continue;
    if (isDatedOut(href, false)) continue;
    add(scope.judgeLink(href, origin, now), ({ url, depth, decision }) => {
      const rate = rates.rateOf(url, depth, now, finds.hints?.get(href));
      const candidate = { url, depth, batch, index, rate };
      // An order that takes from both ends would otherwise begin with pages beyond the limit.
      const spare = order.choose !== undefined && index >= room;
      const own = spare ? RANKS.reserve + batch : order.rank(candidate);
      const rank = decision ? RANKS.decided + batch : own;
      const reason = decision ? decisionWords(decision) : order.reason(candidate);
      return { kind: 'page', rank, rate, reason };
    });
    if (isTurnOver()) await clock.sleep(0);
  }
  return { discovered, skips };
}

const datesWords = ({ from, to }: NonNullable<CrawlSpec['sitemapDates']>): string =>
  [
    from === undefined ? '' : `before ${new Date(from).toISOString()}`,
    to === undefined ? '' : `after ${new Date(to).toISOString()}`,
  ]
    .filter((words) => words !== '')
    .join(', or ');

/** The sitemaps that robots.txt names: read before any page, at the depth of a seed. */
export function namedSitemaps(sitemaps: readonly string[], pageUrl: string, scope: Scope): Discovery {
  const discovered: NewFrontierEntry[] = [];
  const skips: Skip[] = [];
  const reason = 'sitemap named by robots.txt';
  for (const href of sitemaps) {
    const verdict = scope.judgeSitemap(href, { url: pageUrl, depth: 0, extraHops: 0 }, 0);
    if (verdict.inside) {
      const { url, host, depth, extraHops } = verdict;
      const entry = { kind: 'sitemap', url, host, depth, extraHops, redirects: 0, isSeed: false } as const;
      discovered.push({ ...entry, rank: AT_ONCE, reason });
    } else skips.push(skipOf(verdict, { url: pageUrl, depth: 0 }));
  }
  return { discovered, skips };
}

type Outside = Extract<ScopeVerdict, { inside: false }>;

const skipOf = (
  { url, reason, detail, rule }: Outside,
  from: Pick<FrontierEntry, 'url' | 'depth'>,
): Skip => ({
  url,
  reason,
  detail,
  ...(rule !== undefined && { rule }),
  depth: from.depth + 1,
  via: from.url,
});
