import { createScope } from '../../capture/scope.ts';
import { type CrawlOptions, openSiteCrawl } from '../../loop/site-crawl.ts';
import type { Crawl, CrawlSpec, FrontierEntry, NewFrontierEntry } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import type { PlannedVisit } from '../../model/watch.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import { siteOrder } from '../../science/policy/site-order.ts';
import { openVersionKeeper } from '../../stages/keep-versions.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import { adFilters } from '../crawl/ad-filters.ts';
import { type CrawlEquipment, crawlPorts, openRecords } from '../crawl/equipment.ts';
import { crawlKey } from '../crawl/find-crawl.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LiveSite } from './live-site.ts';

/** Pages that are visited together, by the settings that their sites share. */
export interface RoundPages {
  /** Of whose pages it is made. */
  readonly sites: readonly LiveSite[];
  readonly visits: readonly PlannedVisit[];
}

export interface RoundOptions {
  readonly equipment: CrawlEquipment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  /** Milliseconds: what was not visited then is planned anew. */
  readonly time: Millis;
  /** What rules tell of visits. */
  readonly alerts?: CrawlOptions['alerts'];
  readonly onVisit: (entry: FrontierEntry, stored: VisitCommit) => void;
  readonly onNote: (note: string) => void;
}

/** Sites whose pages may be visited in one round: those that are treated alike. */
export function roundKey({ settings: { spec } }: LiveSite): string {
  const { politeness, render, templates, store, storeBudget, collection, workers, limits } = spec;
  const { blockRules, blockAds, recogniseWalls, selectLinks } = spec;
  return JSON.stringify([
    ...[politeness, render, templates, store, storeBudget, collection, workers, limits],
    ...[blockRules, blockAds, recogniseWalls, selectLinks],
  ]);
}

/** Milliseconds; and of a round: one answer that does not end, a feed that drips, must not hold up all sites beyond the next round. */
const LEAST_RESPONSE = 5_000;
const RESPONSE_SHARE = 0.25;

/** Without seeds: nothing begins there, and no question for the last capture of a site is answered by it. */
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

/** Visits what was planned, each page once, by an ordinary crawl that follows no links. One that was interrupted goes on. */
export async function runRound(
  archive: OpenArchive,
  crawl: RoundCrawl,
  { sites, visits }: RoundPages,
  options: RoundOptions,
): Promise<void> {
  const { clock, equipment } = options;
  const { catalog } = archive;
  const book = await archive.decisions();
  const scope = createScope(scopesOf(sites, crawl.spec), book.held, undefined, adFilters(crawl.spec));
  const order = siteOrder(crawl.spec.order);
  const rates = await openPageRates([], catalog);
  equipment.courtesy.forgive();
  const store = await openRecords(archive, crawl, clock, options.rotateSize);
  let isBrokenOff = false;
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
        seeds: visits.map(entryOf),
        // The loop learns from each visit; patterns are learnt anew now and then, from all rounds together.
        learns: false,
        signal: options.signal,
        syncEvery: options.syncEvery,
        ...(options.alerts && { alerts: options.alerts }),
        onVisit: options.onVisit,
        onNote: options.onNote,
      },
    );
    await running.run();
  } catch (error) {
    isBrokenOff = true;
    throw error;
  } finally {
    await store.close({ isBrokenOff });
  }
}

/** Each site keeps its own scope: a redirect may lead no further than its links. */
function scopesOf(sites: readonly LiveSite[], { scope, limits, blockRules = [] }: CrawlSpec) {
  const seeds = sites.flatMap(({ settings }) => settings.spec.seeds);
  const seedScopes = sites.flatMap(({ settings: { spec } }) =>
    spec.seeds.map((url) => spec.seedScopes?.find((one) => one.url === url) ?? { url, scope: spec.scope }),
  );
  return { seeds, scope, seedScopes, limits, blockRules };
}

const entryOf = ({ url, reason, kind }: PlannedVisit, index: number): NewFrontierEntry => ({
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
});
