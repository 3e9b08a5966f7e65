/** The real crawl (loop and stages, through the same ports as `daguerre archive`) on a synthetic web, under a virtual clock. */
import {
  type CrawlingCatalog,
  type CrawlOptions,
  type CrawlOutcome,
  openSiteCrawl,
} from '../../loop/site-crawl.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { siteOf } from '../../model/site.ts';
import type { RevisitMode } from '../../model/site-capture.ts';
import { SPEC_VERSION } from '../../model/spec-version.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { RecordReader, RecordStore } from '../../ports/record-store.ts';
import type { RobotsReader } from '../../ports/robots.ts';
import type { Scope } from '../../ports/scope.ts';
import { openVersionKeeper } from '../../stages/keep-versions.ts';
import { planCrawl, seedEntries } from '../../stages/known-pages.ts';
import { openPageRates, type PageRates } from '../../stages/page-rates.ts';
import { openSiteRhythm, type SiteRhythm } from '../../stages/site-rhythm.ts';
import { stream } from '../newspaper/random.ts';
import type { SyntheticWeb } from './synthetic-web.ts';
import { attended, type VirtualClock } from './virtual-clock.ts';

/** What the lab is given: it builds no adapters itself. */
export interface CrawlLabPorts {
  readonly pageReader: PageReader;
  readonly robotsReader: RobotsReader;
  scope(spec: CrawlSpec): Scope;
}

export interface WebCrawlPorts extends CrawlLabPorts {
  readonly catalog: CrawlingCatalog;
  readonly clock: VirtualClock;
  readonly fetcher: Fetcher;
  readonly store: RecordStore;
  readonly reader: RecordReader;
  readonly newId: () => string;
}

export interface LabCrawlSettings {
  readonly order: string;
  readonly revisit: RevisitMode;
  /** Milliseconds between two requests to one host. */
  readonly delay: number;
  readonly workers: number;
  /** What the orders believe: the true rates, those seen by earlier crawls in the catalog, or rates passed in. */
  readonly rates: 'true' | 'learned' | PageRates;
  readonly seed: number | string;
  /** When pages change; unless given, as learnt by the catalog. */
  readonly rhythm?: SiteRhythm;
  readonly onVisit?: CrawlOptions['onVisit'];
  /** Stops the crawl; nothing does unless given. */
  readonly signal?: AbortSignal;
}

export function crawlSpec(
  web: SyntheticWeb,
  { order, revisit, delay, workers }: LabCrawlSettings,
): CrawlSpec {
  const never = Number.POSITIVE_INFINITY;
  return {
    version: SPEC_VERSION,
    seeds: web.sites.map(({ origin }) => `${origin}/`),
    collection: 'lab',
    scope: { type: 'host', include: [], exclude: [], depth: never, extraHops: 0 },
    limits: {
      pages: never,
      time: never,
      size: never,
      responseTime: 60_000,
      responseSize: 1 << 30,
      redirects: 20,
      attempts: 3,
    },
    politeness: {
      userAgent: 'daguerre-lab',
      robots: true,
      delay,
      delayFactor: 0,
      maxDelay: delay,
      perHost: 1,
      allowPrivate: true,
    },
    render: 'never',
    order,
    revisit,
    sitemaps: false,
    workers,
  };
}

export async function crawlWeb(
  web: SyntheticWeb,
  settings: LabCrawlSettings,
  given: WebCrawlPorts,
): Promise<CrawlOutcome> {
  const { clock } = given;
  const spec = crawlSpec(web, settings);
  const scope = given.scope(spec);
  const catalog = attended(given.catalog, clock);
  const rates = await ratesOf(settings.rates, web, () => openPageRates(spec.seeds.map(siteOf), catalog));
  const rhythm = settings.rhythm ?? (await openSiteRhythm(spec.seeds.map(siteOf), { catalog }));
  const plan = await planCrawl(spec, clock.now(), {
    ...{ catalog, scope, rates, rhythm },
    wording: {
      catalog,
      reader: attended(given.reader, clock),
      pageReader: attended(given.pageReader, clock),
    },
  });
  const crawl = await catalog.createCrawl(given.newId(), spec, clock.now());
  const random = stream('back-off', settings.seed);
  const siteCrawl = await openSiteCrawl(
    crawl,
    {
      catalog,
      scope,
      clock,
      fetcher: given.fetcher,
      store: attended(given.store, clock),
      reader: attended(given.reader, clock),
      pageReader: attended(given.pageReader, clock),
      robotsReader: attended(given.robotsReader, clock),
      newId: given.newId,
      random: () => random.next(),
    },
    {
      ...plan,
      rates,
      rhythm,
      versions: openVersionKeeper('all', catalog),
      seeds: [...seedEntries(spec.seeds, plan.order, rates, clock.now()), ...plan.entries],
      ...(settings.onVisit && { onVisit: settings.onVisit }),
      signal: settings.signal ?? new AbortController().signal,
      syncEvery: Number.POSITIVE_INFINITY,
    },
  );
  return siteCrawl.run();
}

async function ratesOf(
  rates: LabCrawlSettings['rates'],
  web: SyntheticWeb,
  learned: () => Promise<PageRates>,
): Promise<PageRates> {
  if (rates === 'learned') return await learned();
  return rates === 'true' ? trueRates(web) : rates;
}

function trueRates(web: SyntheticWeb): PageRates {
  const known = web.sites.reduce((sum, { pages }) => sum + pages.length, 0);
  return { known, rateOf: (url) => web.page(url)?.rate ?? 0 };
}
