import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { labPorts } from '../../archive/crawl/lab-ports.ts';
import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { openCatalog } from '../../catalog/open.ts';
import { openRecordReader } from '../../warc/record-reader.ts';
import { archiveFolders, openWarcStore } from '../../warc/warc-store.ts';
import { crawlWeb, type LabCrawlSettings, type WebCrawlPorts } from './crawl-web.ts';
import { memoryCatalog } from './memory-catalog.ts';
import { memoryRecords } from './memory-records.ts';
import { type SyntheticWeb, syntheticWeb, WEB } from './synthetic-web.ts';
import { attended, type VirtualClock, virtualClock } from './virtual-clock.ts';
import { webAnswer, webFetcher } from './web-fetcher.ts';

let folder = '';
let servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daguerre-live-'));
  for (const path of Object.values(archiveFolders(folder))) mkdirSync(path);
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

/** Serves what `answer` returns on loopback; resolves to its origin. */
async function serve(answer: (url: string, ifNoneMatch?: string) => ReturnType<typeof webAnswer>) {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(
      `http://${request.headers.host}${request.url}`,
      request.headers['if-none-match'],
    );
    response.writeHead(status, Object.fromEntries(headers)).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Two sites are asked at the same moment; the network decides which answers first. */
const byTime = (a: { at: number; url: string }, b: { at: number; url: string }): number =>
  a.at - b.at || a.url.localeCompare(b.url);

/** Everything the visits did, in order, and everything captured. */
async function told(web: SyntheticWeb, settings: LabCrawlSettings, ports: WebCrawlPorts) {
  const { capture } = await crawlWeb(web, settings, ports);
  const visits = await ports.catalog.visits({ limit: 1_000 });
  const captures = [];
  for await (const { url, at, type, status, digest } of ports.catalog.captures({}))
    if (url.startsWith('http:')) captures.push({ url, at, type, status, sha256: digest.sha256 });
  const pages = capture.pages.map(({ url, visit, revisit, rate }) => {
    return { url, rate, at: [visit.at, revisit?.at], sha256: [visit.sha256, revisit?.sha256] };
  });
  return {
    pages: pages.sort((a, b) => (a.at[0] as number) - (b.at[0] as number) || a.url.localeCompare(b.url)),
    visits: visits
      .map(({ url, at, outcome, status, reason }) => ({ url, at, outcome, status, reason }))
      .sort(byTime),
    captures: captures.sort(byTime),
  };
}

test.each([
  ['adaptive-organ-pipe', 'sharp'],
  ['breadth-first', 'none'],
] as const)(
  '%s, revisit %s: over HTTP into WARC files and a catalog on disk => what the lab captures in memory, visit by visit',
  async (order, revisit) => {
    let now = (): number => WEB.start;
    let web: SyntheticWeb | undefined;
    const answer = (url: string, ifNoneMatch?: string) =>
      webAnswer(web as SyntheticWeb, { url, ifNoneMatch }, now());
    const origins = [await serve(answer), await serve(answer)];
    web = syntheticWeb({ ...WEB, sites: 2, pages: 40, hottest: 5_000, latency: 0, origins });
    const settings: LabCrawlSettings = { order, revisit, delay: 5_000, workers: 4, rates: 'true', seed: 1 };

    const live = await liveCrawl(web, settings, (clock) => {
      now = () => clock.now();
    });
    const inMemory = await memoryCrawl(web, settings);
    expect(live.visits.length).toBe(revisit === 'none' ? 80 : 160);
    expect(new Set(live.captures.map(({ sha256 }) => sha256)).size).toBeGreaterThan(80);
    expect(inMemory).toEqual(live);
  },
);

async function liveCrawl(
  web: SyntheticWeb,
  settings: LabCrawlSettings,
  begin: (clock: VirtualClock) => void,
) {
  const clock = virtualClock(WEB.start);
  begin(clock);
  const { warc, tmp } = archiveFolders(folder);
  const fetcher = openHttpFetcher({ allowPrivate: true, spoolDir: tmp, now: () => clock.now() });
  const catalog = await openCatalog(join(folder, 'catalog.sqlite'));
  const store = await openWarcStore({
    archive: folder,
    collection: 'lab',
    crawlId: 1,
    clock,
    software: 'test',
    userAgent: 'daguerre-lab',
    robots: 'obey',
  });
  const reader = openRecordReader(warc);
  try {
    return await told(web, settings, {
      ...labPorts,
      catalog,
      store,
      reader,
      clock,
      fetcher: attended(fetcher, clock),
      newId: () => crypto.randomUUID(),
    });
  } finally {
    for (const part of [store, reader, fetcher, catalog]) await part.close();
  }
}

async function memoryCrawl(web: SyntheticWeb, settings: LabCrawlSettings) {
  const clock = virtualClock(WEB.start);
  const newId = () => crypto.randomUUID();
  const ports = { ...labPorts, ...memoryRecords(newId), clock, newId, fetcher: webFetcher(web, clock) };
  return told(web, settings, { ...ports, catalog: memoryCatalog() });
}
