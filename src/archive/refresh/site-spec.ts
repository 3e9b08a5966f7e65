import type { CrawlSpec, RenderMode, ScopeSpec } from '../../model/crawl.ts';
import type { PerimeterSpec } from '../../model/perimeter.ts';
import type { RefreshFact } from '../../model/refresh.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import { SPEC_VERSION } from '../../model/spec-version.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { skipRulesSpec } from '../crawl/skip-rules.ts';

/** What the user wants changed from the last crawl of each site. */
export interface SpecChanges {
  readonly skipByRules: boolean;
  readonly missAtMost?: number | undefined;
  readonly refreshEvery?: number | undefined;
  readonly render?: RenderMode | undefined;
  readonly workers?: number | undefined;
  readonly delay?: number | undefined;
  readonly timeLimit?: number | undefined;
  readonly attempts?: number | undefined;
  readonly allowPrivate?: boolean | undefined;
  /** Replaces the perimeter of the last crawl. */
  readonly perimeter?: PerimeterSpec | undefined;
}

export interface SiteToRead {
  readonly fact: RefreshFact;
  /** Where to begin. */
  readonly urls: readonly string[];
  /** Pages that may be visited. */
  readonly limit: number;
}

/**
 * The crawl of one site: like the last one that somebody asked for, limited to the site; else the whole site, with the
 * pace and settings of the archive's last crawl.
 */
export function siteSpec(
  { fact, urls: seeds, limit }: SiteToRead,
  last: { readonly ofSite?: CrawlSpec | undefined; readonly ofArchive?: CrawlSpec | undefined },
  changes: SpecChanges,
  bounds: SiteBounds,
): CrawlSpec {
  const { site } = fact;
  const before = last.ofSite ?? last.ofArchive ?? crawlSpec(CRAWL_SETTINGS.parse({}));
  // Secrets are not stored: the site is read as anybody sees it, and the result is not private.
  const { skipByRules, refresh: _, supplied: __, session: ___, seedScopes, ...base } = before;
  const within = (scope: ScopeSpec): ScopeSpec => insideSite(scope, site, bounds);
  const own = last.ofSite
    ? seedScopes
        ?.filter(({ url }) => seeds.includes(url))
        .map((one) => ({ ...one, scope: within(one.scope) }))
    : [];
  return {
    ...base,
    // Stored specs are read under today's names.
    version: SPEC_VERSION,
    seeds,
    scope: within(last.ofSite ? base.scope : WHOLE_SITE),
    ...(own && own.length > 0 && { seedScopes: own }),
    limits: {
      ...base.limits,
      pages: Math.min(limit, last.ofSite ? base.limits.pages : Number.POSITIVE_INFINITY),
      ...(changes.timeLimit !== undefined && { time: changes.timeLimit }),
      ...(changes.attempts !== undefined && { attempts: changes.attempts }),
    },
    politeness: {
      ...base.politeness,
      ...(changes.delay !== undefined && { delay: changes.delay }),
      ...(changes.allowPrivate && { allowPrivate: true }),
    },
    ...(changes.perimeter && { perimeter: changes.perimeter }),
    ...(changes.render !== undefined && { render: changes.render }),
    ...(changes.workers !== undefined && { workers: changes.workers }),
    ...(changes.skipByRules && {
      skipByRules: skipRulesSpec({
        missAtMost: changes.missAtMost ?? skipByRules?.missAtMost,
        refreshEvery: changes.refreshEvery ?? skipByRules?.refreshEvery,
        pin: skipByRules?.pin ?? [],
      }),
    }),
    refresh: fact,
  };
}

const WHOLE_SITE: ScopeSpec = {
  type: 'host',
  include: [],
  exclude: [],
  depth: Number.POSITIVE_INFINITY,
  extraHops: 0,
};

/**
 * A scope that led beyond the site is narrowed to it; directories that are sites of their own are left to their
 * turn.
 */
function insideSite(scope: ScopeSpec, site: string, bounds: SiteBounds): ScopeSpec {
  const isWide = scope.type === 'any' || scope.type === 'domain' || scope.type === 'host';
  const type = isWide ? (site.includes('/') ? 'prefix' : 'host') : scope.type;
  return { ...scope, type, exclude: [...new Set([...scope.exclude, ...bounds.othersWithin(site)])] };
}
