/**
 * The part of a catalog that a crawl without a browser uses, in memory: half the time of a small visit goes into SQL, even
 * without a disk. It learns no patterns, since no such crawl reads them. Any other call is refused by name.
 */
import type { CaptureFact } from '../../model/capture.ts';
import type { Crawl, CrawlTally } from '../../model/crawl.ts';
import { isRedirect } from '../../model/exchange.ts';
import { siteOf } from '../../model/site.ts';
import { HOSTS_AS_SITES } from '../../model/site-bounds.ts';
import type { Catalog, PageHistory, PageStanding } from '../../ports/catalog.ts';
import { MemoryFrontier } from './memory-frontier.ts';

/** Most visits in the history of a page. */
const VISITS = 50;

export function memoryCatalog(): Catalog {
  const crawls: Crawl[] = [];
  const frontiers = new Map<number, MemoryFrontier>();
  const byId = new Map<string, CaptureFact>();
  const byPayload = new Map<string, CaptureFact>();
  /** Captures of pages, by URL, in order of arrival. */
  const byUrl = new Map<string, CaptureFact[]>();
  let entries = 0;

  function keep(fact: CaptureFact): void {
    byId.set(fact.recordId, fact);
    if (fact.type === 'response' && !byPayload.has(fact.digest.sha256))
      byPayload.set(fact.digest.sha256, fact);
    if (fact.type !== 'response' && fact.type !== 'revisit') return;
    const before = byUrl.get(fact.url);
    if (before) before.push(fact);
    else byUrl.set(fact.url, [fact]);
  }

  const frontierOf = (crawlId: number): MemoryFrontier => {
    const frontier = frontiers.get(crawlId);
    if (!frontier) throw new RangeError(`there is no crawl ${crawlId}`);
    return frontier;
  };
  /** Answers of a site's existing pages. */
  function* answersOf(site: string): Iterable<readonly [url: string, facts: readonly CaptureFact[]]> {
    for (const [url, facts] of byUrl) {
      if (siteOf(url) !== site) continue;
      const there = facts.filter(({ status }) => status === 200 || status === 304);
      if (there.length > 0) yield [url, there];
    }
  }

  const kept: Partial<Catalog> = {
    async createCrawl(key, spec, at) {
      const crawl: Crawl = { id: crawls.length + 1, key, spec, state: 'running', startedAt: at };
      crawls.push(crawl);
      frontiers.set(crawl.id, new MemoryFrontier(() => ++entries));
      return crawl;
    },
    async setCrawlState(crawlId, state, at) {
      const crawl = crawls[crawlId - 1];
      if (crawl) crawls[crawlId - 1] = { ...crawl, state, ...(state === 'finished' && { finishedAt: at }) };
    },
    siteBounds: () => HOSTS_AS_SITES,
    crawls: async () => [...crawls],
    async commit(batch) {
      for (const { captures } of batch.visits) for (const fact of captures) keep(fact);
      for (const fact of batch.captures) keep(fact);
      return { enqueued: frontierOf(batch.crawlId).commit(batch) };
    },
    tally: async (crawlId) => tallyOf(frontierOf(crawlId)),
    notes: async (crawlId) => frontierOf(crawlId).notes,
    skipRules: async ({ crawlId }) => frontierOf(crawlId).skipRules(),
    visits: async ({ crawlId = crawls.length, limit = Number.POSITIVE_INFINITY }) =>
      [...frontierOf(crawlId).rows()]
        .flatMap((row) => row.visits)
        .sort((a, b) => b.at - a.at)
        .slice(0, limit),
    pending: async (crawlId, host, limit, range) => frontierOf(crawlId).pending(host, limit, range),
    hostCounts: async (crawlId) => frontierOf(crawlId).hostCounts(),
    skipPending: async (crawlId, reason, detail) => frontierOf(crawlId).skipPending(reason, detail),
    async *frontierLog(crawlId) {
      yield* frontierOf(crawlId).log();
    },
    unplannedRevisits: async (crawlId, host) =>
      [...frontierOf(crawlId).answered()]
        .filter(({ visit, planned }) => !planned && visit.host === host)
        .map(({ visit }) => visit)
        .sort((a, b) => a.at - b.at),
    async *answeredVisits(crawlId) {
      for (const { visit, revisit } of frontierOf(crawlId).answered()) {
        yield visit;
        if (revisit) yield revisit;
      }
    },
    async *pagesOfLastCrawl(host) {
      for (const { id, state, startedAt } of crawls.toReversed()) {
        const pages = state === 'finished' ? [...frontierOf(id).pages(host)] : [];
        if (pages.length === 0) continue;
        for (const page of pages) yield { ...page, crawledAt: startedAt };
        return;
      }
    },
    async *pageHistories(site) {
      for (const [url, facts] of answersOf(site)) yield historyOf(url, facts);
    },
    async *pageStandings(site): AsyncGenerator<PageStanding> {
      for (const [url, facts] of answersOf(site)) {
        const sha256 = facts.at(-1)?.digest.sha256 ?? '';
        yield { url, lastSha256: sha256, storedSha256: sha256, accumulated: 0 };
      }
    },
    async originals(digests) {
      return new Map(
        digests.flatMap((sha256) => {
          const fact = byPayload.get(sha256);
          return fact ? [[sha256, originalIn(fact)] as const] : [];
        }),
      );
    },
    async validators(url) {
      const fact = byUrl.get(url)?.findLast(({ type, status }) => type === 'response' && status === 200);
      return fact?.etag === undefined ? undefined : { etag: fact.etag, original: originalIn(fact) };
    },
    captureByRecordId: async (recordId) => byId.get(recordId),
    originalOf: async (fact) => (fact.type === 'revisit' ? byPayload.get(fact.digest.sha256) : fact),
    async *captures() {
      yield* byId.values();
    },
    async keptVersions(urls, before) {
      return new Map(
        urls.flatMap((url) => {
          const fact = byUrl
            .get(url)
            ?.findLast(({ status, at }) => (status === 200 || status === 304) && at < before);
          return fact
            ? [
                [
                  url,
                  { recordId: fact.recordId, at: fact.at, sha256: fact.digest.sha256, status: fact.status },
                ] as const,
              ]
            : [];
        }),
      );
    },
    inferences: async () => [],
    // No patterns are learnt.
    captureMark: async () => 0,
    learntSite: async () => undefined,
    patternGroups: async () => [],
    forgetPatterns: async () => {},
    async *seenPages() {},
    async *pagePatterns() {},
    close: async () => {},
  };
  return new Proxy(kept, {
    get(target, name) {
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name);
      throw new TypeError(`the catalog in memory cannot tell ${name}: open one on disk`);
    },
  }) as Catalog;
}

const originalIn = ({ url, at, recordId, digest }: CaptureFact) => ({
  url,
  at,
  recordId,
  sha256: digest.sha256,
  sha1: digest.sha1,
});

function historyOf(url: string, facts: readonly CaptureFact[]): PageHistory {
  const { mime, digest, etag, lastModified } = facts.at(-1) as CaptureFact;
  return {
    url,
    mime,
    size: digest.size,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    visits: facts.slice(-VISITS).map((fact) => ({ at: fact.at, sha256: fact.digest.sha256 })),
  };
}

/** Pages by outcome. The lab does not need to know which are new, or which site they belong to. */
function tallyOf(frontier: MemoryFrontier): CrawlTally {
  const count = { captured: 0, unchanged: 0, redirects: 0, dropped: 0, failed: 0, pending: 0 };
  const revisits = { captured: 0, unchanged: 0, failed: 0 };
  const resources = { captured: 0, unchanged: 0, failed: 0 };
  let skipped = frontier.skipRules().reduce((sum, { entries }) => sum + entries, 0);
  for (const { kind, state, visits } of frontier.rows()) {
    if (state === 'skipped') skipped++;
    else if (kind === 'page')
      count[state !== 'failed' && isRedirect(visits.at(-1)?.status ?? 0) ? 'redirects' : state]++;
    else if (state !== 'pending' && state !== 'dropped') (kind === 'revisit' ? revisits : resources)[state]++;
  }
  const none = { new: count.captured, changed: 0, gone: 0, failures: {}, skips: {}, sites: [] };
  return { ...count, ...none, revisits, resources, skipped, bytes: frontier.bytes };
}
