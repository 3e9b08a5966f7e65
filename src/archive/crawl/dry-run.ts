import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import { createScope } from '../../capture/scope.ts';
import type { CrawlSpec, RenderMode, ScopeSpec } from '../../model/crawl.ts';
import type { Clock } from '../../ports/clock.ts';
import { siteOrder } from '../../science/policy/site-order.ts';
import { seedEntries } from '../../stages/known-pages.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { type AskedOrigin, type AskedSitemaps, askOrigins } from './dry-run-asks.ts';
import { crawlKey } from './find-crawl.ts';
import { seedUrls } from './seed-urls.ts';

/** What a dry run may request from the web. */
export const DRY_RUN_ASKS = ['nothing', 'robots', 'sitemaps'] as const;
export type DryRunAsks = (typeof DRY_RUN_ASKS)[number];

export interface DryRunSeed {
  readonly url: string;
  readonly scope: ScopeSpec;
  readonly render: RenderMode;
  /** Pages that its scope may bring in; absent where it has no limit of its own. */
  readonly pages?: number;
  /** What robots.txt says of it; absent where that was not requested. */
  readonly robots?: { readonly allowed: boolean; readonly detail?: string };
}

/** What `archive` would do, as far as is known without doing it. */
export interface DryRunReport {
  readonly asked: DryRunAsks;
  /** Every URL that was requested, in order. */
  readonly requests: readonly string[];
  /** In the order in which they would be requested. */
  readonly seeds: readonly DryRunSeed[];
  readonly order: string;
  readonly spec: Omit<CrawlSpec, 'seeds' | 'seedScopes'>;
  /** What is already there. */
  readonly archive: {
    /** The unfinished crawl that this one would resume. */
    readonly resumes?: { readonly crawl: number; readonly startedAt: number; readonly waiting: number };
    /** Pages in the last capture of the seeds' hosts. */
    readonly knownPages: number;
  };
  readonly origins: readonly AskedOrigin[];
  readonly sitemaps?: AskedSitemaps;
}

export interface DryRunOptions {
  readonly asks: DryRunAsks;
  readonly location: ArchiveLocation;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Crawls nothing and writes nothing. Reads the archive if there is one. */
export async function dryRun(spec: CrawlSpec, options: DryRunOptions): Promise<DryRunReport> {
  const { asks, clock, signal } = options;
  const urls = seedUrls(spec);
  const order = siteOrder(spec.order);
  const requests: string[] = [];
  const fetcher = openHttpFetcher({ allowPrivate: spec.politeness.allowPrivate });
  const told = {
    async fetch(request: Parameters<typeof fetcher.fetch>[0]) {
      requests.push(request.url);
      return fetcher.fetch(request);
    },
    close: () => fetcher.close(),
  };
  try {
    const { origins, robotsOf, sitemaps } =
      asks === 'nothing'
        ? { origins: [], robotsOf: () => undefined, sitemaps: undefined }
        : await askOrigins(spec, urls, {
            fetcher: told,
            robotsReader: createRobotsReader(spec.politeness.userAgent),
            pageReader: createPageReader(),
            scope: createScope(spec),
            clock,
            order,
            readsSitemaps: asks === 'sitemaps',
            signal,
          });
    const rates = { known: 0, rateOf: () => 0 };
    const entries = seedEntries(urls, order, rates, clock.now()).toSorted((a, b) => a.rank - b.rank);
    const { seeds: _, seedScopes = [], ...rest } = spec;
    const own = new Map(
      spec.seeds.map((given, index) => [urls[index], seedScopes.find(({ url }) => url === given)]),
    );
    return {
      asked: asks,
      requests,
      order: spec.order,
      spec: rest,
      seeds: entries.map(({ url }) => {
        const { scope = spec.scope, render = spec.render, pages } = own.get(url) ?? {};
        const robots = robotsOf(url);
        return { url, scope, render, ...(pages !== undefined && { pages }), ...(robots && { robots }) };
      }),
      archive: await knownBefore(spec, urls, options.location),
      origins,
      ...(sitemaps && { sitemaps }),
    };
  } finally {
    await fetcher.close();
  }
}

async function knownBefore(
  spec: CrawlSpec,
  urls: readonly string[],
  location: ArchiveLocation,
): Promise<DryRunReport['archive']> {
  const archive = await openForReading(location).catch((error: unknown) => {
    // No archive yet.
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (!archive) return { knownPages: 0 };
  try {
    const { catalog } = archive;
    const begun = await catalog.unfinishedCrawl(crawlKey(spec));
    let waiting = 0;
    for (const { isPending, entries } of begun ? await catalog.hostCounts(begun.id) : [])
      if (isPending) waiting += entries;
    let knownPages = 0;
    for (const host of new Set(urls.map((url) => new URL(url).host)))
      for await (const _ of catalog.pagesOfLastCrawl(host)) knownPages++;
    return {
      ...(begun && { resumes: { crawl: begun.id, startedAt: begun.startedAt, waiting } }),
      knownPages,
    };
  } finally {
    await archive.close();
  }
}
