import type { LimitSpec, ScopeSpec, SeedScope } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { FoundTrap, LinkOrigin, Perimeter, PerimeterVerdict } from '../ports/perimeter.ts';
import { createAlikePages } from './scope/alike-pages.ts';
import { crawlUrl } from './scope/normalise.ts';
import { compileSeedScopes } from './scope/seed-scopes.ts';
import { createSitemapBounds } from './scope/sitemap-bounds.ts';
import { createTrapDetector, type TrapDetector } from './scope/traps.ts';
import type { Trap } from './scope/url-traps.ts';

/** Links whose verdict is remembered: some 200 bytes each. */
const VERDICTS_KEPT = 50_000;

/** Scope and trap detection as one judgement. Throws ScopeError for a scope that cannot be. */
export function createPerimeter(
  seeds: readonly string[],
  spec: ScopeSpec,
  seedScopes: readonly SeedScope[] = [],
  limits: Pick<LimitSpec, 'sitemaps' | 'alikePages'> = {},
): Perimeter {
  const scope = compileSeedScopes(seeds, spec, seedScopes);
  // Embedded things are taken wherever they live: only what the user excluded stays out.
  const anywhere = (one: ScopeSpec): ScopeSpec => ({
    ...one,
    type: 'any',
    include: [],
    depth: Number.POSITIVE_INFINITY,
  });
  const resourceScope = compileSeedScopes(
    seeds,
    anywhere(spec),
    seedScopes.map((seed) => ({ url: seed.url, scope: anywhere(seed.scope) })),
  );
  const sitemaps = createSitemapBounds(limits.sitemaps ?? Number.POSITIVE_INFINITY);
  const alike = createAlikePages(limits.alikePages ?? Number.POSITIVE_INFINITY);
  const inUrls = createTrapDetector();
  const pageTraps: TrapDetector = {
    judge: (url, now) => alike.trapOf(url) ?? inUrls.judge(url, now),
    observe: inUrls.observe,
  };
  // Image resizers make many variants of one path, all of them real: counted apart, and more of them.
  const resourceTraps = createTrapDetector({ queryVariants: 20_000 });

  // Most links of a page stand on every page. Where neither depth nor hops decide, one verdict serves them all.
  const verdicts = [spec, ...seedScopes.map((seed) => seed.scope)].every(
    ({ depth, extraHops }) => depth === Number.POSITIVE_INFINITY && extraHops === 0,
  )
    ? new Map<string, PerimeterVerdict>()
    : undefined;

  function judgeLink(href: string, origin: LinkOrigin, now: Millis): PerimeterVerdict {
    const depth = origin.depth + 1;
    const known = verdicts?.get(href);
    if (known) return known.inside ? { ...known, depth } : known;
    const verdict = judge(href, origin, depth, now, scope.judge);
    // A relative link means something else on another page.
    if (verdicts && verdict.url === href) {
      if (verdicts.size >= VERDICTS_KEPT) verdicts.clear();
      verdicts.set(href, verdict);
    }
    return verdict;
  }

  function judge(
    href: string,
    origin: LinkOrigin,
    depth: number,
    now: Millis,
    judgeScope: typeof scope.judge,
    traps: TrapDetector = pageTraps,
  ): PerimeterVerdict {
    const parsed = crawlUrl(href, origin.url);
    if (!parsed.ok) {
      const { reason, detail, rule } = parsed;
      return { inside: false, url: href, reason, detail, rule };
    }
    const { url } = parsed;
    const verdict = judgeScope(url, { depth, extraHops: origin.extraHops });
    if (!verdict.in) return { inside: false, url, reason: verdict.reason, detail: verdict.detail };
    const trap = traps.judge(url, now);
    if (trap) return { inside: false, url, reason: trap.trap, detail: trap.detail, rule: trap.rule };
    traps.observe(url);
    return { inside: true, url, host: new URL(url).host, depth, extraHops: verdict.extraHops };
  }

  return {
    judgeLink,
    judgeResource: (href, origin, now) =>
      judge(href, origin, origin.depth, now, resourceScope.judge, resourceTraps),
    judgeRedirect(href, origin, now) {
      if (origin.isSeed) {
        const parsed = crawlUrl(href, origin.url);
        if (parsed.ok) scope.addSeed(parsed.url, origin.url);
        verdicts?.clear();
      }
      return judge(href, origin, origin.depth, now, scope.judge);
    },
    judgeSitemap(href, origin, now) {
      const traps = {
        judge: (url: string) => sitemaps.judge(url, origin.url) ?? resourceTraps.judge(url, now),
        observe: (url: string) => {
          sitemaps.observe(url, origin.url);
          resourceTraps.observe(url);
        },
      };
      return judge(href, origin, origin.depth, now, resourceScope.judge, traps);
    },
    observe(url, kind) {
      scope.observe(url);
      pageTraps.observe(url);
      if (kind === 'sitemap') sitemaps.observe(url);
    },
    wantsText: alike.wants,
    observeText: (url, text) => found(alike.observe(url, text)),
    trapOf: (url) => found(alike.trapOf(url)),
  };
}

const found = (trap: Trap | undefined): FoundTrap | undefined =>
  trap && { reason: trap.trap, detail: trap.detail };
