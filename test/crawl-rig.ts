import { join } from 'node:path';
import { createPageReader } from '../src/capture/page-reader.ts';
import { createRobotsReader } from '../src/capture/robots-reader.ts';
import { createScope } from '../src/capture/scope.ts';
import { SPEC } from '../src/catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import { attended, type VirtualClock, virtualClock } from '../src/lab/crawl/virtual-clock.ts';
import { type CrawlOutcome, type CrawlPorts, openSiteCrawl } from '../src/loop/site-crawl.ts';
import type { Crawl, CrawlSpec } from '../src/model/crawl.ts';
import type { Decisions } from '../src/model/decisions.ts';
import type { Truncation } from '../src/model/exchange.ts';
import { CaptureFault, type FaultKind } from '../src/model/fault.ts';
import type { AlertJudge } from '../src/ports/alert-judge.ts';
import type { Catalog } from '../src/ports/catalog.ts';
import type { RecordReader } from '../src/ports/record-store.ts';
import { siteOrder } from '../src/science/policy/site-order.ts';
import { openVersionKeeper } from '../src/stages/keep-versions.ts';
import { planCrawl, seedEntries } from '../src/stages/known-pages.ts';
import { openRecordReader } from '../src/warc/record-reader.ts';
import { exchange, temporaryArchive, testStore } from './warc-events.ts';

/** What a URL answers, or why it does not. */
export interface WebAnswer {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly truncated?: Truncation;
  /** Milliseconds until it is there; 10 unless given. */
  readonly after?: number;
  readonly fault?: FaultKind;
}

export const START = Date.UTC(2026, 2, 1);
export const ROOT = 'https://example.org';

/** A page with links to these paths, long enough to be stored as a revisit the next time. */
export const linking = (...paths: string[]): WebAnswer => ({
  body: `<title>t</title><!--${'-'.repeat(200)}-->${paths.map((path) => `<a href="${path}">x</a>`).join('')}`,
});

export interface CrawlRig {
  readonly clock: VirtualClock;
  readonly catalog: Catalog;
  readonly reader: RecordReader;
  /** Where the record files are. */
  readonly folder: string;
  /** Path (or URL, of another host) and milliseconds since the start, in the order asked. */
  readonly asked: [string, number][];
  readonly notes: string[];
  crawl(more?: RigOptions): Promise<CrawlOutcome>;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly spec?: Partial<CrawlSpec>;
  readonly ports?: Partial<CrawlPorts>;
  readonly signal?: AbortSignal;
  readonly decisions?: Decisions;
  readonly alerts?: AlertJudge;
  /** Instead of a new one. */
  readonly resume?: Crawl;
  /** Planned over the last capture, as `archive` does. */
  readonly planned?: boolean;
  /** Whether it begins with its seeds; a crawl that goes on does not, unless told so. */
  readonly seeds?: boolean;
}

/**
 * The real crawl on a web of a few answers, under a virtual clock: real catalog, real records, no network. An answer
 * may be a function of how often it was asked for before.
 */
export async function crawlRig(
  web: Readonly<Record<string, WebAnswer | ((times: number) => WebAnswer)>>,
): Promise<CrawlRig> {
  const clock = virtualClock(START);
  const catalog = attended(await openSqliteCatalog(':memory:'), clock);
  const { archive, remove } = await temporaryArchive();
  const store = attended(await testStore(archive, { clock }), clock);
  const reader = attended(openRecordReader(join(archive, 'warc')), clock);
  const asked: [string, number][] = [];
  const notes: string[] = [];
  let ids = 0;
  const fetcher: CrawlPorts['fetcher'] = {
    async fetch({ url, signal }) {
      const name = url.startsWith(ROOT) ? url.slice(ROOT.length) : url;
      const times = asked.filter(([before]) => before === name).length;
      const startedAt = clock.now();
      asked.push([name, startedAt - START]);
      const known = web[name];
      const {
        status = known ? 200 : 404,
        headers = [],
        body = '',
        truncated,
        after = 10,
        fault,
      } = (typeof known === 'function' ? known(times) : known) ?? {};
      await clock.sleep(after, signal);
      if (signal?.aborted) throw signal.reason;
      if (fault) throw new CaptureFault(fault, url, 'the test says so');
      const answer = exchange({
        url,
        at: startedAt,
        status,
        body,
        headers: [['Content-Type', 'text/html'], ...headers],
        ...(truncated && { more: { truncated } }),
      });
      return { ...answer, finishedAt: clock.now() };
    },
    close: async () => {},
  };
  return {
    clock,
    catalog,
    reader,
    folder: join(archive, 'warc'),
    asked,
    notes,
    async crawl(options: RigOptions = {}) {
      const {
        spec: changes,
        ports,
        signal = new AbortController().signal,
        resume,
        decisions,
        alerts,
        seeds = resume === undefined,
      } = options;
      const spec: CrawlSpec = { ...SPEC, render: 'never', sitemaps: false, ...changes };
      const crawl = resume ?? (await catalog.createCrawl(`key-${ids++}`, spec, clock.now()));
      const rates = { known: 0, rateOf: () => 0 };
      const scope = createScope(spec, decisions);
      const rhythm = { of: () => undefined };
      const plan = options.planned
        ? await planCrawl(spec, crawl.startedAt, { catalog, scope, rates, rhythm })
        : { order: siteOrder(spec.order), sizes: new Map<string, number>(), entries: [], known: [] };
      const { order } = plan;
      const siteCrawl = await openSiteCrawl(
        crawl,
        {
          catalog,
          store,
          reader,
          fetcher,
          clock,
          scope,
          pageReader: attended(createPageReader(), clock),
          robotsReader: attended(createRobotsReader(spec.politeness.userAgent), clock),
          newId: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
          random: () => 0.5,
          ...ports,
        },
        {
          ...plan,
          ...(decisions && { decisions }),
          ...(alerts && { alerts }),
          rates,
          versions: openVersionKeeper(spec.store ?? 'all', catalog),
          seeds: [...(seeds ? seedEntries(spec.seeds, order, rates, clock.now()) : []), ...plan.entries],
          onNote: (note) => notes.push(note),
          signal,
          syncEvery: 1_000,
        },
      );
      return siteCrawl.run();
    },
    async close() {
      await store.close();
      await reader.close();
      await catalog.close();
      await remove();
    },
  };
}
