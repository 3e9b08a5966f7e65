import { createScope } from '../../capture/scope.ts';
import type { Progress } from '../../loop/progress.ts';
import { type CrawlOptions, type CrawlOutcome, openSiteCrawl } from '../../loop/site-crawl.ts';
import type { Crawl, CrawlSpec, NewFrontierEntry } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { PlannedVisit } from '../../model/watch.ts';
import type { CrawlBrief } from '../../model/worker.ts';
import type { Clock } from '../../ports/clock.ts';
import { siteOrder } from '../../science/policy/site-order.ts';
import { openVersionKeeper } from '../../stages/keep-versions.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import { adFilters } from '../crawl/ad-filters.ts';
import { type CrawlEquipment, crawlPorts, openRecords } from '../crawl/equipment.ts';
import { crawlKey } from '../crawl/find-crawl.ts';
import { PROGRESS_EVERY } from '../crawl/run-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LiveSite } from './live-site.ts';

/** Pages that are visited together, under the settings that their sites share. */
export interface RoundPages {
  /** The sites of these pages. */
  readonly sites: readonly LiveSite[];
  readonly visits: readonly PlannedVisit[];
}

export interface RoundOptions {
  readonly equipment: CrawlEquipment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  /** Evaluates rules on visits. */
  readonly alerts?: CrawlOptions['alerts'];
  /** Where others ask the same hosts, or this is one piece of a round. */
  readonly piece?: Pick<CrawlOptions, 'grace' | 'ranBefore' | 'leases' | 'teaches'>;
  readonly onVisit?: CrawlOptions['onVisit'];
  readonly onProgress?: (progress: Progress) => void;
  readonly onNote: (note: string) => void;
}

/** Which pages of its sites it may reach: a setting of the sites, not of the crawl. */
export type RoundScope = NonNullable<CrawlBrief['scope']>;

/** Each site keeps its own scope: a redirect may lead no further than its links. */
export function roundScope(sites: readonly LiveSite[]): RoundScope {
  const specs = sites.map(({ settings }) => settings.spec);
  return {
    seeds: specs.flatMap(({ seeds }) => seeds),
    seedScopes: specs.flatMap(({ seeds, seedScopes, scope }) =>
      seeds.map((url) => seedScopes?.find((one) => one.url === url) ?? { url, scope }),
    ),
  };
}

/** Identifies sites whose pages may be visited in one round: those with the same settings. */
export function roundKey({ settings: { spec } }: LiveSite): string {
  const { politeness, render, templates, store, storeBudget, collection, workers, limits } = spec;
  const { blockRules, blockAds, recogniseWalls, selectLinks } = spec;
  return JSON.stringify([
    ...[politeness, render, templates, store, storeBudget, collection, workers, limits],
    ...[blockRules, blockAds, recogniseWalls, selectLinks],
  ]);
}

/** Groups pages into the rounds in which they can be visited; pages of no site are left out. */
export function roundsOf(
  visits: readonly PlannedVisit[],
  siteOf: (url: string) => LiveSite | undefined,
): readonly RoundPages[] {
  const rounds = new Map<string, { sites: Set<LiveSite>; visits: PlannedVisit[] }>();
  for (const visit of visits) {
    const site = siteOf(visit.url);
    if (!site) continue;
    const key = roundKey(site);
    const round = rounds.get(key) ?? { sites: new Set(), visits: [] };
    rounds.set(key, round);
    round.sites.add(site);
    round.visits.push(visit);
  }
  return [...rounds.values()].map((round) => ({ sites: [...round.sites], visits: round.visits }));
}

/**
 * Longest response, in milliseconds and as a share of the round: one answer that does not end, a feed that drips, must
 * not hold up all sites beyond the next round.
 */
const LEAST_RESPONSE = 5_000;
const RESPONSE_SHARE = 0.25;

/** Without seeds: nothing begins there, and it never counts as the last capture of a site. */
export function roundSpec({ sites }: Pick<RoundPages, 'sites'>, id: string, time: Millis): CrawlSpec {
  const [first] = sites;
  if (!first) throw new RangeError('a round is of some site');
  const { seedScopes: _, skipByRules: __, mirrors: ___, perimeter: ____, ...spec } = first.settings.spec;
  return {
    ...spec,
    seeds: [],
    scope: { type: 'custom', include: ['^'], exclude: [], depth: Number.POSITIVE_INFINITY, extraHops: 0 },
    limits: {
      ...spec.limits,
      pages: Number.POSITIVE_INFINITY,
      time,
      responseTime: Math.min(spec.limits.responseTime, Math.max(LEAST_RESPONSE, time * RESPONSE_SHARE)),
    },
    order: 'breadth-first',
    revisit: 'none',
    sitemaps: false,
    watch: { round: id },
  };
}

/** A round that is to begin, or was interrupted. */
export type RoundCrawl = Pick<Crawl, 'id' | 'spec' | 'key' | 'state' | 'startedAt'>;

export async function beginRound(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  spec: CrawlSpec,
  at: Millis,
): Promise<RoundCrawl> {
  return catalog.createCrawl(crawlKey(spec), spec, at);
}

/** Visits what was planned, each page once, by an ordinary crawl that follows no links. An interrupted round is resumed. */
export async function runRound(
  archive: OpenArchive,
  crawl: RoundCrawl,
  round: { readonly scope: RoundScope; readonly visits: readonly PlannedVisit[] },
  options: RoundOptions,
): Promise<CrawlOutcome> {
  const { clock, equipment, onProgress } = options;
  const { catalog } = archive;
  const { scope: general, limits, blockRules = [] } = crawl.spec;
  const book = await archive.decisions();
  const scopes = { ...round.scope, scope: general, limits, blockRules };
  const scope = createScope(scopes, book.held, undefined, await adFilters(crawl.spec));
  const order = siteOrder(crawl.spec.order);
  const rates = await openPageRates([], catalog);
  equipment.courtesy.forgive();
  const store = await openRecords(archive, crawl, clock, options.rotateSize);
  let isBrokenOff = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    const running = await openSiteCrawl(
      crawl,
      { ...(await crawlPorts(archive, crawl, equipment, { store, clock })), scope },
      {
        order,
        rates,
        sizes: new Map(),
        courtesy: equipment.courtesy,
        decisions: book.held,
        versions: openVersionKeeper(crawl.spec.store ?? 'all', catalog),
        seeds: roundEntries(round.visits),
        // The loop learns from each visit; patterns are relearnt now and then, from all rounds together.
        learns: false,
        signal: options.signal,
        syncEvery: options.syncEvery,
        ...(options.alerts && { alerts: options.alerts }),
        ...options.piece,
        ...(options.onVisit && { onVisit: options.onVisit }),
        onNote: options.onNote,
      },
    );
    if (onProgress) timer = setInterval(() => onProgress(running.progress(Date.now())), PROGRESS_EVERY);
    const outcome = await running.run();
    onProgress?.(running.progress(Date.now()));
    return outcome;
  } catch (error) {
    isBrokenOff = true;
    throw error;
  } finally {
    clearInterval(timer);
    await store.close({ isBrokenOff });
  }
}

/** The entries that a round begins with. */
export const roundEntries = (visits: readonly PlannedVisit[]): readonly NewFrontierEntry[] =>
  visits.map(({ url, reason, kind }, index) => ({
    kind: 'page',
    url,
    host: new URL(url).host,
    depth: 0,
    extraHops: 0,
    redirects: 0,
    rank: index,
    rate: 0,
    reason: `${kind}: ${reason}`,
    isSeed: false,
  }));
