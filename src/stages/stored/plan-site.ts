import type { SkipRulesSpec } from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';
import { planSkips } from '../../science/evolution/plan-skips.ts';
import { overduePages, type SitePast } from '../../science/evolution/site-versions.ts';
import type { SkipPlan } from '../../science/evolution/skip-plan.ts';
import { historyOf } from './site-history.ts';

export interface PlanRequest {
  readonly now: Millis;
  readonly rules: SkipRulesSpec;
  /** What the user asked for by name: always visited. */
  readonly seeds: readonly string[];
  /** As sitemaps state it now, by URL. */
  readonly lastModified?: ReadonlyMap<string, Millis>;
  /** By decisions of people. */
  readonly isPinned?: (url: string) => boolean;
}

export interface SitePlan {
  readonly plan: SkipPlan;
  /** Pages that are visited whatever is planned for their directory. */
  readonly isVisited: (url: string) => boolean;
}

/** What a crawl of the site leaves out under these rules: used by the crawl itself, and by any preview of it. */
export function planSite(past: SitePast, request: PlanRequest): SitePlan {
  const { now, rules, seeds, lastModified, isPinned } = request;
  const isNamed = pinning(seeds, rules.pin);
  const overdue = overduePages(past, rules.refreshEvery);
  const isVisited = (url: string): boolean => isNamed(url) || overdue.has(url) || isPinned?.(url) === true;
  const plan = planSkips(historyOf(past), {
    now,
    missAtMost: rules.missAtMost,
    refreshEvery: rules.refreshEvery,
    pinned: [...past.pages.keys()].filter(isVisited),
    lastSeen: past.pages,
    ...(lastModified && { lastModified }),
  });
  return { plan, isVisited };
}

function pinning(seeds: readonly string[], patterns: readonly string[]): (url: string) => boolean {
  const named = new Set(seeds.map((seed) => (URL.canParse(seed) ? new URL(seed).href : seed)));
  const tests = patterns.map((source) => new RegExp(source));
  return (url) => named.has(url) || tests.some((test) => test.test(url));
}
