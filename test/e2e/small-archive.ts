import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPageReader } from '../../src/capture/page-reader.ts';
import { SPEC as EXAMPLE } from '../../src/catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../src/catalog/engines/sqlite.ts';
import { EMPTY_BODY, memoryBody } from '../../src/model/body.ts';
import type {
  CaptureFact,
  ExchangeToStore,
  PayloadOriginal,
  RevisitProfile,
} from '../../src/model/capture.ts';
import type { CrawlSpec, Skip, Visit } from '../../src/model/crawl.ts';
import { type HeaderList, mediaType, type ResponseMessage } from '../../src/model/exchange.ts';
import type { Millis } from '../../src/model/time.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import type { PageReader } from '../../src/ports/page-reader.ts';
import type { RecordReader, RecordStore } from '../../src/ports/record-store.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { openWarcStore } from '../../src/warc/warc-store.ts';

/** One exchange of long ago, or one derived record. */
export interface Shot {
  readonly url: string;
  readonly at: Millis;
  readonly status?: number;
  readonly headers?: HeaderList;
  readonly body?: string | Uint8Array;
  readonly method?: string;
  /** Makes it a page. */
  readonly title?: string;
  /** Stored without payload: a revisit of the last full capture of this URL, or of one that does not exist. */
  readonly revisit?: RevisitProfile;
  /** A derived record (`urn:thumbnail:` …) of this media type: no HTTP head. */
  readonly resource?: string;
}

export interface SmallArchive {
  readonly catalog: Catalog;
  readonly reader: RecordReader;
  readonly crawlId: number;
  /** For `startServer`. */
  archive(): Promise<{ readonly catalog: Catalog; readonly reader: RecordReader }>;
  readonly pageReader: PageReader;
  close(): Promise<void>;
}

const SPEC: CrawlSpec = { ...EXAMPLE, seeds: ['http://x.org/'] };

/** A real archive in a temporary folder: these captures, in WARC files and in the catalog. */
export async function smallArchive(
  shots: readonly Shot[],
  facts: { readonly visits?: readonly Visit[]; readonly skips?: readonly Skip[] } = {},
): Promise<SmallArchive> {
  const archive = await mkdtemp(path.join(tmpdir(), 'daguerre-'));
  const catalog = await openSqliteCatalog(path.join(archive, 'catalog.sqlite'));
  const first = shots[0]?.at ?? 0;
  const crawl = await catalog.createCrawl('small', SPEC, first);
  const store = await openWarcStore({
    archive,
    collection: 'archive',
    crawlId: crawl.id,
    clock: { now: () => first, sleep: async () => {} },
    software: 'test',
    userAgent: 'test',
    robots: 'obey',
  });
  const originals = new Map<string, PayloadOriginal>();
  for (const shot of shots) {
    const captures = await append(store, shot, originals);
    const [entry] = (await catalog.commit(batch(crawl.id, { discovered: [entryFor(shot.url)] }))).enqueued;
    const visit = visitOf(shot);
    if (entry) {
      await catalog.commit(
        batch(crawl.id, {
          visits: [
            {
              visit,
              settlement: { entryId: entry.id, state: 'captured' },
              captures,
              ...(shot.title === undefined ? {} : { page: pageOf(shot) }),
              discovered: [],
              skips: [],
            },
          ],
        }),
      );
    } else {
      // A later capture of a known page: its crawl knows the URL already, so another crawl made it.
      await recapture(catalog, shot, captures);
    }
  }
  for (const visit of facts.visits ?? []) {
    const [entry] = (await catalog.commit(batch(crawl.id, { discovered: [entryFor(visit.url)] }))).enqueued;
    if (!entry || visit.outcome === 'deferred') throw new Error(`not a new URL: ${visit.url}`);
    await catalog.commit(
      batch(crawl.id, {
        visits: [
          {
            visit,
            settlement: { entryId: entry.id, state: visit.outcome },
            captures: [],
            discovered: [],
            skips: [],
          },
        ],
      }),
    );
  }
  await catalog.commit(batch(crawl.id, { skips: facts.skips ?? [] }));
  await catalog.setCrawlState(crawl.id, 'finished', first + 75_000);
  await store.close();
  const reader = openRecordReader(path.join(archive, 'warc'));
  return {
    catalog,
    reader,
    crawlId: crawl.id,
    archive: async () => ({ catalog, reader }),
    pageReader: createPageReader(),
    async close() {
      await reader.close();
      await catalog.close();
      await rm(archive, { recursive: true, force: true });
    },
  };
}

async function recapture(catalog: Catalog, shot: Shot, captures: readonly CaptureFact[]): Promise<void> {
  const crawl = await catalog.createCrawl(`again ${randomUUID()}`, { ...SPEC, seeds: [shot.url] }, shot.at);
  const [entry] = (await catalog.commit(batch(crawl.id, { discovered: [entryFor(shot.url)] }))).enqueued;
  if (!entry) throw new Error(`not enqueued: ${shot.url}`);
  await catalog.commit(
    batch(crawl.id, {
      visits: [
        {
          visit: visitOf(shot),
          settlement: { entryId: entry.id, state: shot.revisit ? 'unchanged' : 'captured' },
          captures,
          ...(shot.title === undefined ? {} : { page: pageOf(shot) }),
          discovered: [],
          skips: [],
        },
      ],
    }),
  );
  await catalog.setCrawlState(crawl.id, 'finished', shot.at + 4000);
}

type Batch = Parameters<Catalog['commit']>[0];

function batch(crawlId: number, part: Partial<Batch>): Batch {
  return {
    crawlId,
    visits: [],
    denials: [],
    captures: [],
    discovered: [],
    skips: [],
    fileLengths: new Map(),
    ...part,
  };
}

function entryFor(url: string): Batch['discovered'][number] {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return {
    kind: 'page',
    url,
    host,
    depth: 0,
    extraHops: 0,
    redirects: 0,
    rank: 0,
    reason: 'seed',
    isSeed: true,
  };
}

function visitOf({ url, at, status = 200, body = '', revisit }: Shot): Visit {
  const bytes = Buffer.from(body).length;
  return {
    url,
    at,
    duration: 20,
    reason: 'seed',
    outcome: revisit ? 'unchanged' : 'captured',
    status,
    bytes,
  };
}

function pageOf({ url, at, title = '', status = 200, headers = [] }: Shot) {
  const common = { url, finalUrl: url, title, at, depth: 0, reason: 'seed' };
  const mime = mediaType(headers);
  return { ...common, status: status === 304 ? 200 : status, mime, links: [], resources: {}, facts: [] };
}

async function append(
  store: RecordStore,
  shot: Shot,
  originals: Map<string, PayloadOriginal>,
): Promise<readonly CaptureFact[]> {
  const event = { id: randomUUID(), url: shot.url, at: shot.at };
  if (shot.resource !== undefined) {
    const body = memoryBody(Buffer.from(shot.body ?? ''));
    const derived = [{ uri: shot.url, contentType: shot.resource, body }];
    return store.append({ ...event, exchanges: [], derived });
  }
  const stored = await store.append({
    ...event,
    exchanges: [await exchangeOf(store, shot, originals)],
    derived: [],
  });
  for (const { type, url, at, recordId, digest } of stored) {
    if (type !== 'response') continue;
    originals.set(url, { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 });
  }
  return stored;
}

async function exchangeOf(
  store: RecordStore,
  shot: Shot,
  originals: ReadonlyMap<string, PayloadOriginal>,
): Promise<ExchangeToStore> {
  const { url, at, status = 200, headers = [], method = 'GET' } = shot;
  const lines = [`HTTP/1.1 ${status} `, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  const response: ResponseMessage = {
    status,
    headers,
    head: Buffer.from(lines.join('\r\n'), 'latin1'),
    body: memoryBody(Buffer.from(shot.body ?? '')),
    framing: 'identity',
  };
  const head = Buffer.from(`${method} / HTTP/1.1\r\n\r\n`);
  const common = { url, startedAt: at, finishedAt: at + 20, road: 'http', protocols: ['http/1.1'] } as const;
  const exchange = { ...common, request: { method, headers: [], head, body: EMPTY_BODY }, response };
  const digest = await store.digest(response);
  if (!shot.revisit) return { exchange, digest };
  const original = originals.get(url) ?? {
    url,
    at: at - 1000,
    recordId: `<urn:uuid:${randomUUID()}>`,
    sha256: createHash('sha256').update('never stored').digest('hex'),
    sha1: 'NEVERSTORED',
  };
  return { exchange, digest, revisit: { profile: shot.revisit, original } };
}
