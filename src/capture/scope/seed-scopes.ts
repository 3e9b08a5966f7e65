/**
 * The scope of a crawl whose seeds may each have their own, as in Browsertrix. A URL belongs to the crawl if the scope of
 * one seed takes it; the seeds without a scope of their own share the general one. Which seed a link came from is not
 * recorded: where scopes overlap, the more generous one decides. Each link is tried against each of them: that is meant for
 * hundreds of seeds, not for a hundred thousand.
 */
import type { RenderMode, ScopeSpec, SeedScope } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import { siteOf } from '../../model/site.ts';
import { crawlUrl } from './normalise.ts';
import { compileRules, type RuleVerdict, ScopeError, type ScopeRules } from './scope-rules.ts';

export interface SeedScopes extends Pick<ScopeRules, 'judge'> {
  /** A seed that redirects brings its target into its own scope. */
  addSeed(url: string, from: string): void;
  /** A URL already known counts towards the page limit of its seed. */
  observe(url: string): void;
  /** See ScopeRules. */
  hasHashPages(url: string): boolean;
  /** See ScopeRules. */
  isIncluded(url: string): boolean;
  /** How the page is read, by the first seed that takes it and specifies this. */
  renderOf(url: string): RenderMode | undefined;
}

/** Which reason is reported if scopes refuse a URL for different ones: first those that a change of settings would lift. */
const TOLD_FIRST: readonly SkipReason[] = ['page-limit', 'depth', 'excluded', 'out-of-scope'];

export function compileSeedScopes(
  seeds: readonly string[],
  general: ScopeSpec,
  own: readonly SeedScope[] = [],
): SeedScopes {
  const bySeed = new Map<string, ScopeRules>();
  const owners = new Set(own.map(({ url }) => url));
  const others = seeds.filter((seed) => !owners.has(seed));
  const shared = others.length > 0 || own.length === 0 ? compileRules(others, general) : undefined;
  if (shared) for (const seed of others) bySeed.set(keyOf(seed), shared);
  const scopes: ScopeRules[] = shared ? [shared] : [];
  const reading: { readonly render: RenderMode; readonly rules: ScopeRules }[] = [];
  for (const seed of own) {
    const rules = compileOwn(seed);
    // Asking it how a page is read does not use up its page limit.
    if (seed.render) reading.push({ render: seed.render, rules });
    const scope = limited(rules, seed);
    scopes.push(scope);
    bySeed.set(keyOf(seed.url), scope);
  }

  function judge(url: string, found: { depth: number; extraHops: number }): RuleVerdict {
    let best: RuleVerdict | undefined;
    for (const scope of scopes) {
      const verdict = scope.judge(url, found);
      if (verdict.in && verdict.extraHops === 0) return verdict;
      best = best ? better(best, verdict) : verdict;
    }
    return best ?? { in: false, reason: 'out-of-scope', detail: 'there is no seed' };
  }

  return {
    judge,
    hasHashPages: (url) => scopes.some((scope) => scope.hasHashPages(url)),
    isIncluded: (url) => scopes.some((scope) => scope.isIncluded(url)),
    renderOf(url) {
      const atSeed = { depth: 0, extraHops: 0 };
      return reading.find(({ rules }) => rules.judge(url, atSeed).in)?.render;
    },
    addSeed(url, from) {
      const scope =
        bySeed.get(keyOf(from)) ??
        // Resumed: we know where the seeds led, but not which of them led there.
        [...bySeed].find(([seed]) => siteOf(seed) === siteOf(from))?.[1] ??
        scopes[0];
      scope?.addSeed(url);
      if (scope) bySeed.set(keyOf(url), scope);
    },
    observe(url) {
      if (own.some(({ pages }) => pages !== undefined)) judge(url, { depth: 0, extraHops: 0 });
    },
  };
}

function compileOwn({ url, scope }: SeedScope): ScopeRules {
  try {
    return compileRules([url], scope);
  } catch (error) {
    throw error instanceof ScopeError ? new ScopeError(`seed ${url}: ${error.message}`) : error;
  }
}

/** The seed counts as the first of its pages. */
function limited(scope: ScopeRules, { url: seed, pages }: SeedScope): ScopeRules {
  if (pages === undefined) return scope;
  const taken = new Set([keyOf(seed)]);
  return {
    ...scope,
    judge(url, found) {
      const verdict = scope.judge(url, found);
      if (!verdict.in || taken.has(url)) return verdict;
      if (taken.size >= pages)
        return { in: false, reason: 'page-limit', detail: `page limit of ${pages} of the seed ${seed}` };
      taken.add(url);
      return verdict;
    },
  };
}

function better(a: RuleVerdict, b: RuleVerdict): RuleVerdict {
  if (a.in || b.in) return a.in ? a : b;
  return TOLD_FIRST.indexOf(b.reason) < TOLD_FIRST.indexOf(a.reason) ? b : a;
}

function keyOf(url: string): string {
  const made = crawlUrl(url);
  return made.ok ? made.url : url;
}
