import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SPEC as EXAMPLE } from '../src/catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { CaptureFact, DerivedRecord } from '../src/model/capture.ts';
import type { CrawlSpec, NewFrontierEntry } from '../src/model/crawl.ts';
import type { CapturedPage, RecordedVisit, SiteCapture } from '../src/model/site-capture.ts';
import type { Catalog } from '../src/ports/catalog.ts';
import type { RecordStore } from '../src/ports/record-store.ts';
import { certify } from '../src/stages/certify.ts';
import { crawlLog } from '../src/stages/crawl-log.ts';
import { openSigner } from '../src/storage/archive-key.ts';
import { event, exchange, testStore } from './warc-events.ts';

/** Visits and revisits as a crawl would have made them, without its hours. Seconds from START. */
export interface PlannedPage {
  readonly name: string;
  /** Changes per second. */
  readonly rate: number;
  readonly visit: number;
  readonly revisit?: number;
  readonly later?: 'same' | 'not-modified' | 'changed' | 'gone';
  readonly visiblyUnchanged?: boolean;
  /** Both answers broke off, at the same byte. */
  readonly cut?: true;
}

export const START = Date.UTC(2026, 10, 2, 9, 0, 0);
export const SITE = 'https://example.org';

const SPEC: CrawlSpec = {
  ...EXAMPLE,
  seeds: [`${SITE}/`],
  version: 2,
  order: 'sharc-online',
  revisit: 'sharp',
};

/** An archive with the records, log and certificate of one finished crawl; the first page is the seed and names all others. */
export async function certifiedArchive(
  pages: readonly PlannedPage[],
  options: { readonly key?: string; readonly failed?: readonly string[] } = {},
): Promise<{ readonly archive: string; readonly remove: () => Promise<void> }> {
  const archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'));
  const key = options.key ?? 'example';
  const crawl = await catalog.createCrawl(key, SPEC, START - 1000);
  const store = await testStore(archive, { crawlId: crawl.id });
  const { enqueued } = await catalog.commit({
    ...nothing(crawl.id),
    discovered: frontier(pages, options.failed),
  });
  for (const { id, url } of enqueued) {
    const fault = options.failed?.includes(url);
    await catalog.commit({
      ...nothing(crawl.id),
      visits: [
        {
          visit: {
            url,
            at: START,
            duration: 5,
            reason: 'test',
            outcome: fault ? 'failed' : 'captured',
            bytes: 100,
            ...(fault ? { fault: { kind: 'timeout', detail: `no answer (${url})` } } : { status: 200 }),
          },
          settlement: { entryId: id, state: fault ? 'failed' : 'captured' },
          captures: [],
          discovered: [],
          skips: [],
        },
      ],
    });
  }
  const captured = await storePages(pages, store, catalog, crawl.id);
  const end = Math.max(...pages.map(({ visit, revisit }) => revisit ?? visit));
  const finishedAt = START + end * 1000 + 400;
  const capture: SiteCapture = {
    key,
    seeds: SPEC.seeds,
    startedAt: crawl.startedAt,
    finishedAt,
    order: SPEC.order,
    revisit: 'sharp',
    pages: captured,
  };
  const closing = async (record: DerivedRecord): Promise<void> => {
    const facts = await store.append({
      id: randomUUID(),
      url: record.uri,
      at: finishedAt + 100,
      exchanges: [],
      derived: [record],
    });
    await catalog.commit({ ...nothing(crawl.id), captures: facts, fileLengths: store.lengths() });
  };
  await closing(await crawlLog(crawl, 'finished', finishedAt, catalog));
  const signer = await openSigner(archive, START);
  await closing(await certify(capture, crawl, { catalog, signer, software: 'Daguerre/test' }));
  await catalog.setCrawlState(crawl.id, 'finished', finishedAt);
  await store.close();
  await catalog.close();
  return { archive, remove: () => rm(archive, { recursive: true, force: true }) };
}

export const urlOf = (name: string): string => `${SITE}/${name}`;

const nothing = (crawlId: number) => ({
  crawlId,
  visits: [],
  denials: [],
  captures: [],
  discovered: [],
  skips: [],
  fileLengths: new Map<string, number>(),
});

function frontier(pages: readonly PlannedPage[], failed: readonly string[] = []): NewFrontierEntry[] {
  return [...pages.map(({ name }) => urlOf(name)), ...failed].map((url, i) => ({
    kind: 'page',
    url,
    host: 'example.org',
    depth: i === 0 ? 0 : 1,
    extraHops: 0,
    redirects: 0,
    rank: i,
    reason: 'test',
    isSeed: i === 0,
    ...(i > 0 && { via: urlOf(pages[0]?.name ?? '') }),
  }));
}

/** In the order of the requests, as a crawl writes them. */
async function storePages(
  pages: readonly PlannedPage[],
  store: RecordStore,
  catalog: Catalog,
  crawlId: number,
): Promise<CapturedPage[]> {
  const visits = new Map<string, CaptureFact>();
  const revisits = new Map<string, CaptureFact>();
  const requests = pages
    .flatMap((page) => [
      { page, at: page.visit, again: false },
      ...(page.revisit === undefined ? [] : [{ page, at: page.revisit, again: true }]),
    ])
    .sort((a, b) => a.at - b.at);
  for (const { page, at, again } of requests) {
    const [fact] = await store.append(
      await requestEvent(store, page, at, again ? visits.get(page.name) : undefined),
    );
    if (!fact) throw new Error('nothing stored');
    (again ? revisits : visits).set(page.name, fact);
    await catalog.commit({ ...nothing(crawlId), captures: [fact], fileLengths: store.lengths() });
  }
  return pages.map(({ name, rate, later = 'same', visiblyUnchanged, cut }) => {
    const second = revisits.get(name);
    const outcome = cut ? 'cut' : later === 'not-modified' ? 'same' : later;
    return {
      url: urlOf(name),
      rate,
      visit: pageVisit(visits.get(name)),
      ...(second && { revisit: { ...pageVisit(second), outcome } }),
      ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
    };
  });
}

function requestEvent(
  store: RecordStore,
  { name, later = 'same', visiblyUnchanged, cut }: PlannedPage,
  second: number,
  first: CaptureFact | undefined,
) {
  const text = (version: number): string =>
    `<p>Version ${version} of ${name}, ${'in words that fill some space '.repeat(5)}</p>`;
  const base = { url: urlOf(name), at: START + second * 1000 };
  if (cut) return event(store, [exchange({ ...base, body: text(1), more: { truncated: 'disconnect' } })]);
  if (!first) return event(store, [exchange({ ...base, body: text(1) })]);
  if (later === 'changed') {
    // A token that no reader sees, or another text.
    const body = visiblyUnchanged ? `<!-- 7f3a -->${text(1)}` : text(2);
    return event(store, [exchange({ ...base, body })]);
  }
  if (later === 'gone') return event(store, [exchange({ ...base, status: 404, body: 'gone' })]);
  const { url, at, recordId, digest } = first;
  const original = { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 };
  return later === 'not-modified'
    ? event(store, [
        {
          exchange: exchange({ ...base, status: 304, body: '' }),
          revisit: { profile: 'server-not-modified', original },
        },
      ])
    : event(store, [
        {
          exchange: exchange({ ...base, body: text(1) }),
          revisit: { profile: 'identical-payload-digest', original },
        },
      ]);
}

function pageVisit(fact: CaptureFact | undefined): RecordedVisit {
  if (!fact) throw new Error('no such visit');
  const { at, recordId, digest, status, truncated } = fact;
  return { at, recordId, sha256: digest.sha256, status, ...(truncated && { truncated }) };
}
