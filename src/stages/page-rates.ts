import { siteOf } from '../model/site.ts';
import type { HistoryCatalog, PageHistory } from '../ports/catalog.ts';
import type { SitemapHint } from '../ports/page-reader.ts';
import { irregularRate } from '../science/rates/change-rate.ts';
import type { PageTraits } from '../science/rates/page-features.ts';
import { type PredictorExample, RatePredictor } from '../science/rates/rate-predictor.ts';
import {
  fitDirectoryPriors,
  type ObservedPage,
  type RatePriors,
  shrunkRate,
} from '../science/rates/shrinkage.ts';

/** Change rates of pages, per second: what a site order sorts by. */
export interface PageRates {
  /** Known from the page's history if it has one, otherwise predicted; `hint` is what a sitemap says about it. */
  rateOf(url: string, depth: number, now: number, hint?: SitemapHint): number;
  /** Pages that were visited more than once. */
  readonly known: number;
}

/** Pages whose rates are kept, at some hundred bytes each. Those of a larger site are predicted. */
const KEPT = 300_000;
/** Rates of pages never seen twice that were recently requested: navigation is on every page. */
const REMEMBERED = 20_000;
/**
 * Pages' rates differ by powers of ten: the shape is as flat as a prediction for a single page deserves. A page last
 * modified a while ago has changed once in that time, and such evidence soon outweighs the prediction.
 */
const SHAPE = 0.1;
const DAY = 86_400;
/** Seconds in which the shared prior has SHAPE changes: one change in 30 days. */
const PRIOR_TIME = SHAPE * 30 * DAY;
/** What `RatePredictor.learn` adds to the changes seen. */
const ADDED_BY_LEARNING = 0.5;
/** The sitemap protocol's words, in seconds. */
const PERIODS: Readonly<Record<string, number>> = {
  always: DAY / 96,
  hourly: DAY / 24,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  yearly: 365 * DAY,
  never: 3_650 * DAY,
};

interface Observed extends ObservedPage {
  readonly url: string;
}

/** What the archive saw of the pages of a site. */
interface Seen {
  /** Pages visited more than once. */
  readonly observed: Observed[];
  /** Last-Modified of the others, by URL. */
  readonly modified: Map<string, number>;
}

/** Stage: what the archive saw of the pages of these sites → a rate for each page, and a prediction for the others. */
export async function openPageRates(
  sites: Iterable<string>,
  catalog: Pick<HistoryCatalog, 'pageHistories'>,
): Promise<PageRates> {
  const seen: Seen = { observed: [], modified: new Map() };
  for (const site of new Set(sites)) {
    for await (const history of catalog.pageHistories(site)) {
      if (seen.observed.length + seen.modified.size >= KEPT) break;
      const one = observation(history);
      if (one) seen.observed.push(one);
      const modified = Date.parse(history.lastModified ?? '');
      if (!one && !Number.isNaN(modified)) seen.modified.set(history.url, modified);
    }
  }
  return ratesOf(seen);
}

function ratesOf({ observed, modified }: Seen): PageRates {
  // Each directory gets a little of the shared prior: pages seen twice within seconds say almost nothing.
  const directories = [...new Set(observed.map(({ directory }) => directory))];
  const priors = fitDirectoryPriors([
    ...observed,
    ...directories.map((directory) => ({ directory, changes: SHAPE, time: PRIOR_TIME })),
  ]);
  const known = new Map(observed.map((page) => [page.url, shrunkRate(page, priors)]));
  const predictor = trained(observed, priors);
  const prior = predictor.predict({ path: '/' });
  const remembered = new Map<string, number>();

  function predicted(url: string, depth: number): number {
    // Before there is anything to learn from, all pages are alike.
    if (observed.length === 0) return prior;
    const before = remembered.get(url);
    if (before !== undefined) return before;
    const rate = predictor.predict({ ...factsOfUrl(url, priors), depth });
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(url, rate);
    return rate;
  }

  return {
    known: known.size,
    rateOf(url, depth, now, hint) {
      const seen = known.get(url);
      if (seen !== undefined) return seen;
      const mean = predicted(url, depth);
      const lastModified = modified.get(url);
      // Called for every link of every page: most have nothing more to add.
      if (!hint && lastModified === undefined) return mean;
      const time = evidence({ ...(lastModified !== undefined && { lastModified }), ...hint }, now);
      if (time === undefined) return mean;
      const site = { mean, shape: SHAPE };
      return shrunkRate({ directory: '', changes: 1, time }, { site, directories: new Map() });
    },
  };
}

/** Seconds in which a page changes, or has changed, once: according to the sitemap or its last answer. */
function evidence({ lastModified, changeFrequency }: SitemapHint, now: number): number | undefined {
  if (lastModified !== undefined) return Math.max(0, now - lastModified) / 1000;
  return changeFrequency === undefined ? undefined : PERIODS[changeFrequency];
}

function observation({ url, visits }: PageHistory): Observed | undefined {
  const gaps = visits.slice(1).flatMap(({ at, sha256 }, i) => {
    const before = visits[i] as (typeof visits)[number];
    const gap = (at - before.at) / 1000;
    return gap > 0 ? [{ gap, changed: sha256 !== before.sha256 }] : [];
  });
  if (gaps.length === 0) return undefined;
  const time = gaps.reduce((sum, { gap }) => sum + gap, 0);
  return {
    url,
    directory: directoryOf(url),
    // The rate includes what visits could not tell apart: a page found changed every time has changed more often.
    changes: gaps.some(({ changed }) => changed) ? irregularRate(gaps).rate * time : 0,
    time,
  };
}

function trained(observed: readonly Observed[], priors: RatePriors): RatePredictor {
  const predictor = new RatePredictor();
  // Learnt from the facts available when a page is first met, its URL and its directory: with further facts in
  // training, their weight would be missing from the predictions.
  const pages = observed.map(
    ({ url, changes, time }): PredictorExample => ({
      facts: factsOfUrl(url, priors),
      changes: Math.max(0, changes + SHAPE - ADDED_BY_LEARNING),
      time: time + PRIOR_TIME,
    }),
  );
  for (const page of pages) predictor.learn(page);
  predictor.calibrate(pages);
  return predictor;
}

function factsOfUrl(url: string, priors: RatePriors): PageTraits {
  const directory = priors.directories.get(directoryOf(url));
  return { path: pathOf(url), ...(directory && { directoryRate: directory.mean * DAY }) };
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start < 0 ? '/' : url.slice(start);
}

function directoryOf(url: string): string {
  const path = pathOf(url).split('?')[0] ?? '/';
  return siteOf(url) + path.slice(0, path.lastIndexOf('/') + 1);
}
