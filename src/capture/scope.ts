import type { CrawlSpec, LimitSpec, ScopeSpec } from '../model/crawl.ts';
import { decisionWords } from '../model/decision.ts';
import { Decisions } from '../model/decisions.ts';
import type { Millis } from '../model/time.ts';
import type { FoundTrap, LinkOrigin, Scope, ScopeVerdict } from '../ports/scope.ts';
import { typeByPath } from './block/block-rules.ts';
import { type AdFilters, requestBlocker } from './block/request-blocker.ts';
import { createAlikePages } from './scope/alike-pages.ts';
import { crawlUrl } from './scope/normalise.ts';
import { compileSeedScopes, type SeedScopes } from './scope/seed-scopes.ts';
import { createSitemapBounds } from './scope/sitemap-bounds.ts';
import { createTrapDetector, type TrapDetector } from './scope/traps.ts';
import type { Trap } from './scope/url-traps.ts';

/** Links whose verdict is remembered, at about 200 bytes each. */
const VERDICTS_KEPT = 50_000;

/** Which rules a URL must satisfy, which traps it is checked for, and what people have decided. */
interface Gate {
  readonly mayJoin: (url: string) => boolean;
  /** False: `mayJoin` is ignored, for what a page embeds, and where a seed has moved to. */
  readonly isBound: boolean;
  readonly decisions: Decisions;
  readonly rules: Pick<SeedScopes, 'judge' | 'hasHashPages' | 'isIncluded'>;
  readonly traps: TrapDetector;
}

/**
 * Scope, trap detection and people's decisions as one judgement. Decisions override the scope; a URL they let in must still not be a trap,
 * except a calendar. `mayJoin` says which pages may be taken at all, by any rule. Throws ScopeError for an impossible scope.
 */
export function createScope(
  {
    seeds,
    scope: general,
    seedScopes = [],
    limits = {},
    blockRules = [],
  }: Pick<CrawlSpec, 'seeds' | 'scope' | 'seedScopes' | 'blockRules'> & {
    readonly limits?: Pick<LimitSpec, 'sitemaps' | 'alikePages'>;
  },
  decisions = new Decisions(),
  mayJoin: (url: string) => boolean = () => true,
  adFilters?: AdFilters,
): Scope {
  const rules = compileSeedScopes(seeds, general, seedScopes);
  // Embedded resources are taken wherever they are: only what the user excluded stays out.
  const anywhere = (one: ScopeSpec): ScopeSpec => ({
    ...one,
    type: 'any',
    include: [],
    depth: Number.POSITIVE_INFINITY,
  });
  const resourceRules = compileSeedScopes(
    seeds,
    anywhere(general),
    seedScopes.map(({ url, scope }) => ({ url, scope: anywhere(scope) })),
  );
  const blocker = requestBlocker(blockRules, adFilters);
  const sitemaps = createSitemapBounds(limits.sitemaps ?? Number.POSITIVE_INFINITY);
  const alike = createAlikePages(limits.alikePages ?? Number.POSITIVE_INFINITY);
  const inUrls = createTrapDetector();
  const page: Gate = {
    mayJoin,
    isBound: true,
    decisions,
    rules,
    traps: { judge: (url, now) => alike.trapOf(url) ?? inUrls.judge(url, now), observe: inUrls.observe },
  };
  // Image resizers make many variants of one path, all of them real: counted separately, with a higher limit.
  const resource: Gate = {
    mayJoin,
    isBound: false,
    decisions,
    rules: resourceRules,
    traps: createTrapDetector({ queryVariants: 20_000 }),
  };

  // Most links of a page are on every page. If neither depth nor hops matter, one verdict serves them all.
  const verdicts = [general, ...seedScopes.map(({ scope }) => scope)].every(
    ({ depth, extraHops }) => depth === Number.POSITIVE_INFINITY && extraHops === 0,
  )
    ? new Map<string, ScopeVerdict>()
    : undefined;
  let version = decisions.version;

  function judgeLink(href: string, origin: LinkOrigin, now: Millis): ScopeVerdict {
    const depth = origin.depth + 1;
    if (decisions.version !== version) verdicts?.clear();
    version = decisions.version;
    const known = verdicts?.get(href);
    if (known) return known.inside ? { ...known, depth } : known;
    const verdict = judge(href, origin, depth, now, page);
    // A relative link means something else on another page, and a decision may end.
    const isDecided = verdict.inside ? verdict.decision !== undefined : verdict.reason === 'decided';
    if (verdicts && verdict.url === href && !isDecided) {
      if (verdicts.size >= VERDICTS_KEPT) verdicts.clear();
      verdicts.set(href, verdict);
    }
    return verdict;
  }

  return {
    judgeLink,
    renderOf: rules.renderOf,
    ...(blocker && { blocker }),
    judgeResource(href, origin, now) {
      const parsed = blocker && crawlUrl(href, origin.url);
      const blocked =
        parsed?.ok && blocker?.judge({ url: parsed.url, type: typeByPath(parsed.url), pageUrl: origin.url });
      if (parsed?.ok && blocked)
        return { inside: false, url: parsed.url, reason: blocked.reason, detail: blocked.rule };
      return judge(href, origin, origin.depth, now, resource);
    },
    judgeRedirect(href, origin, now) {
      if (origin.isSeed) {
        const parsed = crawlUrl(href, origin.url);
        if (parsed.ok) rules.addSeed(parsed.url, origin.url);
        verdicts?.clear();
      }
      return judge(href, origin, origin.depth, now, { ...page, isBound: !origin.isSeed });
    },
    judgeSitemap(href, origin, now) {
      const traps: TrapDetector = {
        judge: (url) => sitemaps.judge(url, origin.url) ?? resource.traps.judge(url, now),
        observe(url) {
          sitemaps.observe(url, origin.url);
          resource.traps.observe(url);
        },
      };
      return judge(href, origin, origin.depth, now, { ...resource, traps });
    },
    observe(url, kind) {
      rules.observe(url);
      page.traps.observe(url);
      if (kind === 'sitemap') sitemaps.observe(url);
    },
    wantsText: alike.wants,
    observeText: (url, text) => found(alike.observe(url, text)),
    trapOf: (url) => found(alike.trapOf(url)),
  };
}

function judge(
  href: string,
  origin: LinkOrigin,
  depth: number,
  now: Millis,
  { decisions, mayJoin, isBound, rules, traps }: Gate,
): ScopeVerdict {
  const parsed = crawlUrl(href, origin.url);
  if (!parsed.ok) {
    const { reason, detail, rule } = parsed;
    return { inside: false, url: href, reason, detail, rule };
  }
  const url = rules.hasHashPages(parsed.url) ? withFragment(parsed.url, href, origin.url) : parsed.url;
  const { verdict: decided } = decisions.on(url, now);
  if (decided?.act.kind === 'out')
    return { inside: false, url, reason: 'decided', detail: decisionWords(decided) };
  const isOwn = mayJoin(url);
  if (isBound && !isOwn)
    return { inside: false, url, reason: 'out-of-scope', detail: 'of another site: this crawl reads one' };
  const decision = decided && isOwn ? decided : undefined;
  const judged = rules.judge(url, { depth, extraHops: origin.extraHops });
  const verdict = decision ? ({ in: true, extraHops: 0 } as const) : judged;
  if (!verdict.in) return { inside: false, url, reason: verdict.reason, detail: verdict.detail };
  const trap = traps.judge(url, now);
  // How far back a calendar is worth reading is a guess, overridden when somebody names its pages.
  const isWanted = trap?.trap === 'trap-calendar' && (decision !== undefined || rules.isIncluded(url));
  if (trap && !isWanted)
    return { inside: false, url, reason: trap.trap, detail: trap.detail, rule: trap.rule };
  traps.observe(url);
  const { host } = new URL(url);
  return { inside: true, url, host, depth, extraHops: verdict.extraHops, ...(decision && { decision }) };
}

/** `#/about` of a single-page application is a page of its own; `#` alone is the page itself. */
export function withFragment(url: string, href: string, base?: string): string {
  const { hash } = new URL(href, base);
  return hash.length > 1 ? url + hash : url;
}

const found = (trap: Trap | undefined): FoundTrap | undefined =>
  trap && { reason: trap.trap, detail: trap.detail };
