import type { Crawl } from '../../model/crawl.ts';
import type { RefreshFact } from '../../model/refresh.ts';
import type { Millis } from '../../model/time.ts';
import {
  type Candidates,
  type ChosenSite,
  nextSite,
  SIDES,
  type Side,
  type SiteBudget,
} from '../../science/policy/sites/divide-budget.ts';
import { type RankedSite, rankSites } from '../../science/policy/sites/site-priority.ts';
import { type NewSite, type OverviewCatalog, sitesOverview } from '../sites/site-overview.ts';

/** A site that may be read, and its rank. */
export interface RankedCandidate extends RankedSite {
  /** Starting addresses. */
  readonly urls: readonly string[];
  /** The crawl that says how it is to be read. */
  readonly model?: Crawl;
  /** How its pages were estimated, where none of it was read. */
  readonly estimated?: string;
}

export interface RefreshCandidates extends Candidates<RankedCandidate> {
  /** Sites known by links alone that are not wanted, by what is known of them. */
  readonly unwanted: readonly string[];
  /** Archived sites that people have decided out entirely. */
  readonly decidedOut: readonly string[];
}

/** How likely a URL of an unread site is to be wanted; 0: it is not. */
export type WantedChance = (url: string) => number;

/**
 * Sites of both sides in the order of ρ. `wanted` says which new sites may be read at all; a new site's importance
 * counts by the chance of its likeliest page. Sites whose every starting address is decided out are not read.
 */
export async function refreshCandidates(
  catalog: OverviewCatalog,
  now: Millis,
  wanted: WantedChance,
  isOut: (url: string) => boolean,
): Promise<RefreshCandidates> {
  const { archived: known, fresh } = await sitesOverview(catalog, now, isOut);
  const archived = known.filter(({ urls }) => urls.length > 0);
  const own = new Map(archived.map((one) => [one.site, one]));
  const found = new Map(
    fresh.flatMap((one) => {
      const urls = one.urls.filter((url) => /^https?:/.test(url) && wanted(url) > 0);
      const chance = Math.max(0, ...urls.map(wanted));
      return urls.length > 0
        ? [[one.site, { ...one, urls, importance: one.importance * chance }] as const]
        : [];
    }),
  );
  return {
    refresh: rankSites(archived, now).map((one) => {
      const { model, urls = [] } = own.get(one.site) ?? {};
      return { ...one, urls, ...(model && { model }) };
    }),
    discovery: rankSites([...found.values()], now).map((one) => {
      const { urls, size, known } = found.get(one.site) as NewSite;
      return { ...one, urls, estimated: estimateWords(size, known) };
    }),
    unwanted: fresh.flatMap(({ site }) => (found.has(site) ? [] : [site])),
    decidedOut: known.flatMap(({ site, urls }) => (urls.length === 0 ? [site] : [])),
  };
}

const estimateWords = ({ pages, low, high, from }: NewSite['size'], known: number): string =>
  `about ${pages} pages (${low} to ${high}), from ${known} known URL${known === 1 ? '' : 's'} and ${from} sites that were read`;

export interface PlannedSite extends ChosenSite<RankedCandidate> {
  readonly fact: RefreshFact;
}

export function plannedSite(next: ChosenSite<RankedCandidate>, run: string): PlannedSite {
  const { site, priority, importance, changeRate, lastRead, pages, failures } = next.candidate;
  const parts = { priority, importance, changeRate, pages, failures, left: next.limit };
  const fact = { run, site, side: next.side, ...parts, ...(lastRead !== undefined && { lastRead }) };
  return { ...next, fact };
}

export const without = (candidates: RefreshCandidates, sites: ReadonlySet<string>): RefreshCandidates => ({
  ...candidates,
  refresh: candidates.refresh.filter(({ site }) => !sites.has(site)),
  discovery: candidates.discovery.filter(({ site }) => !sites.has(site)),
});

export interface RefreshPlan {
  readonly sites: readonly PlannedSite[];
  /** Sites that do not fit into the budget. */
  readonly left: readonly RankedCandidate[];
  /** With discovery: new sites that are not wanted. */
  readonly unwanted: readonly string[];
  /** Not read, because people decided so. */
  readonly decidedOut: readonly string[];
}

/** What will be read if each site takes as many pages as expected. */
export function refreshPlan(
  candidates: RefreshCandidates,
  run: string,
  budget: SiteBudget,
  before: Readonly<Record<Side, number>> = { refresh: 0, discovery: 0 },
): RefreshPlan {
  const spent = { ...before };
  const sites: PlannedSite[] = [];
  let left: RefreshCandidates = candidates;
  for (let next = nextSite(left, spent, budget); next; next = nextSite(left, spent, budget)) {
    sites.push(plannedSite(next, run));
    spent[next.side] += Math.max(1, Math.min(next.limit, next.candidate.pages));
    left = without(left, new Set([next.candidate.site]));
  }
  return {
    sites,
    left: SIDES.flatMap((side) => (side === 'discovery' && budget.discovery === 0 ? [] : left[side])),
    unwanted: budget.discovery === 0 ? [] : candidates.unwanted,
    decidedOut: candidates.decidedOut,
  };
}
