import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { CrawlSpec, NewFrontierEntry, Skip, Visit } from '../../model/crawl.ts';
import type { Catalog, CommitBatch, VisitCommit } from '../../ports/catalog.ts';
import type { OpenOptions } from '../open.ts';

/** A place for one catalog. `open` may be called again after `close`, as after a crash. */
export interface CatalogPlace {
  open(options?: Pick<OpenOptions, 'admit' | 'readonly' | 'ledger'>): Promise<Catalog>;
  remove(): Promise<void>;
}

export type NewPlace = () => Promise<CatalogPlace>;

export const SPEC: CrawlSpec = {
  seeds: ['https://example.org/'],
  collection: 'news',
  scope: { type: 'host', include: [], exclude: [], depth: Number.POSITIVE_INFINITY, extraHops: 0 },
  limits: {
    pages: Number.POSITIVE_INFINITY,
    time: 3_600_000,
    size: Number.POSITIVE_INFINITY,
    responseTime: 60_000,
    responseSize: 1e9,
    redirects: 20,
    attempts: 3,
  },
  politeness: {
    userAgent: 'test',
    robots: true,
    delay: 1_000,
    delayFactor: 1,
    maxDelay: 60_000,
    perHost: 1,
    allowPrivate: false,
  },
  render: 'auto',
  order: 'breadth-first',
  sitemaps: true,
  workers: 2,
};

export const entry = (url: string, more: Partial<NewFrontierEntry> = {}): NewFrontierEntry => ({
  url,
  kind: 'page',
  host: 'example.org',
  depth: 1,
  extraHops: 0,
  redirects: 0,
  rank: 1,
  reason: 'test',
  isSeed: false,
  ...more,
});

export const skipOf = (url: string, more: Partial<Skip> = {}): Skip => ({
  url,
  reason: 'out-of-scope',
  detail: 'another host',
  depth: 2,
  ...more,
});

export const visitOf = (url: string, more: Partial<Visit> = {}): Visit => ({
  url,
  at: 1_000,
  duration: 5,
  reason: 'test',
  outcome: 'captured',
  bytes: 100,
  ...more,
});

let serial = 0;

/** Each call is another record, 100 bytes behind the one before. */
export function capture(url: string, at: number, more: Partial<CaptureFact> = {}): CaptureFact {
  serial++;
  return {
    url,
    at,
    type: 'response',
    recordId: `<urn:uuid:${serial}>`,
    file: 'a.warc.gz',
    offset: serial * 100,
    length: 100,
    method: 'GET',
    status: 200,
    mime: 'text/html',
    digest: digest(`payload ${serial}`),
    ...more,
  };
}

export function digest(seed: string): CaptureFact['digest'] {
  const hex = Buffer.from(seed).toString('hex');
  return {
    sha256: hex.padEnd(64, '0').slice(-64),
    sha1: hex.toUpperCase().padEnd(32, 'A').slice(-32),
    size: 7,
  };
}

export const pageOf = (url: string, at: number, more: Partial<PageInfo> = {}): PageInfo => ({
  url,
  finalUrl: url,
  title: `Title of ${url}`,
  status: 200,
  mime: 'text/html',
  at,
  depth: 0,
  reason: 'test',
  links: [],
  resources: {},
  facts: [],
  ...more,
});

export const batch = (crawlId: number, more: Partial<CommitBatch> = {}): CommitBatch => ({
  crawlId,
  visits: [],
  denials: [],
  captures: [],
  discovered: [],
  skips: [],
  fileLengths: new Map(),
  ...more,
});

export const visited = (
  entryId: number,
  visit: Visit,
  more: Partial<Omit<VisitCommit, 'visit'>> = {},
): VisitCommit => ({
  visit,
  settlement:
    visit.outcome === 'deferred'
      ? { entryId, state: 'deferred', notBefore: visit.at + 60_000 }
      : { entryId, state: visit.outcome },
  captures: [],
  discovered: [],
  skips: [],
  ...more,
});

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A crawl whose frontier holds these URLs, and their entry ids. */
export async function crawlWith(
  catalog: Catalog,
  entries: readonly NewFrontierEntry[],
): Promise<{ crawlId: number; ids: Map<string, number> }> {
  const { id: crawlId } = await catalog.createCrawl('key', SPEC, 1);
  const { enqueued } = await catalog.commit(batch(crawlId, { discovered: entries }));
  return { crawlId, ids: new Map(enqueued.map(({ url, id }) => [url, id])) };
}
