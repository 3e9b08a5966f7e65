import { expect, test } from 'vitest';
import { SPEC as EXAMPLE } from '../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import { memoryBody } from '../model/body.ts';
import type { CrawlSpec, NewFrontierEntry } from '../model/crawl.ts';
import { SPEC_VERSION } from '../model/spec-version.ts';
import type { Catalog, VisitCommit } from '../ports/catalog.ts';
import { crawlLog, crawlOf, logLines, restoreCrawl, STOPPED_LOG } from './crawl-log.ts';
import { isEntry } from './stored/log-schema.ts';

const SPEC: CrawlSpec = { ...EXAMPLE, seeds: ['http://a.example/'] };

const entry = (path: string, rank: number): NewFrontierEntry => ({
  kind: 'page',
  url: `http://a.example/${path}`,
  host: 'a.example',
  depth: rank,
  extraHops: 0,
  redirects: 0,
  rank,
  reason: `rank ${rank}`,
  isSeed: rank === 0,
  ...(rank > 0 && { via: 'http://a.example/' }),
});

async function everything(catalog: Catalog, crawlId: number) {
  const lines = [];
  for await (const line of catalog.frontierLog(crawlId)) lines.push(line);
  const [tally, visits] = [await catalog.tally(crawlId), await catalog.visits({ crawlId })];
  return { lines, tally, visits, skips: await catalog.skipRules({ crawlId }) };
}

test('a crawl written to its log and read back => the same frontier, visits, faults, skips and tally', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const crawl = await catalog.createCrawl('key', SPEC, 1000);
  const nothing = {
    crawlId: crawl.id,
    visits: [],
    denials: [],
    captures: [],
    discovered: [],
    skips: [],
    fileLengths: new Map(),
  };
  const { enqueued } = await catalog.commit({
    ...nothing,
    discovered: [entry('', 0), entry('gone', 1), entry('private', 2), entry('waiting', 3)],
    skips: [
      {
        url: 'http://b.example/',
        reason: 'out-of-scope',
        detail: 'another host',
        depth: 1,
        via: 'http://a.example/',
      },
    ],
  });
  const [home, gone, hidden] = enqueued.map(({ id }) => id) as [number, number, number];
  const visit = { duration: 5, reason: 'seed', bytes: 7 };
  const fault = { kind: 'timeout', detail: 'no answer' } as const;
  const rest = { captures: [], discovered: [], skips: [] };
  await catalog.commit({
    ...nothing,
    visits: [
      {
        visit: { ...visit, url: 'http://a.example/', at: 1001, outcome: 'captured', status: 200 },
        settlement: { entryId: home, state: 'captured' },
        ...rest,
      },
      {
        visit: { ...visit, url: 'http://a.example/gone', at: 1002, outcome: 'deferred', fault },
        settlement: { entryId: gone, state: 'deferred', notBefore: 1003 },
        ...rest,
      },
      {
        visit: { ...visit, url: 'http://a.example/gone', at: 1004, outcome: 'failed', fault },
        settlement: { entryId: gone, state: 'failed' },
        ...rest,
      },
    ],
    denials: [{ entryId: hidden, reason: 'robots', detail: 'Disallow: /private' }],
  });
  const before = await everything(catalog, crawl.id);
  expect(before.tally).toMatchObject({
    captured: 1,
    failed: 1,
    skipped: 2,
    pending: 1,
    failures: { timeout: 1 },
  });

  const log = await crawlLog(crawl, 'stopped', 2000, catalog);
  expect((await crawlOf(log.body))?.spec).toEqual(SPEC);
  const empty = await openSqliteCatalog(':memory:');
  await restoreCrawl(log.body, empty);
  // Idempotent.
  await restoreCrawl(log.body, empty);
  const crawls = await empty.crawls();
  expect(crawls).toEqual([{ ...crawl, id: crawls[0]?.id, state: 'stopped' }]);
  expect(await everything(empty, crawls[0]?.id ?? 0)).toEqual(before);
  await catalog.close();
  await empty.close();
});

test('something fails half way => no crawl; restored again => the same as at once', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const crawl = await catalog.createCrawl('key', SPEC, 1000);
  const nothing = { crawlId: crawl.id, visits: [], denials: [], captures: [], skips: [] };
  const discovered = Array.from({ length: 1200 }, (_, i) => entry(String(i), i));
  await catalog.commit({ ...nothing, discovered, fileLengths: new Map() });
  const log = await crawlLog(crawl, 'finished', 2000, catalog);
  const before = await everything(catalog, crawl.id);
  const restored = await openSqliteCatalog(':memory:');
  let left = 3;
  const failing: Catalog = {
    ...restored,
    commit: (batch) => (left-- > 0 ? restored.commit(batch) : Promise.reject(new Error('the disk is full'))),
  };
  await expect(restoreCrawl(log.body, failing)).rejects.toThrow('the disk is full');
  expect(await restored.crawls()).toEqual([]);
  expect(await restoreCrawl(log.body, restored)).toBe(0);
  const [whole] = await restored.crawls();
  expect(whole?.state).toBe('finished');
  expect(await everything(restored, whole?.id ?? 0)).toEqual(before);
  await Promise.all([catalog.close(), restored.close()]);
});

test('the log of a crawl from before orders were renamed => its words as written, in the catalog the order it ran in', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const before = { ...SPEC, order: 'sharc-online' };
  const crawl = await catalog.createCrawl('key', before, 1000);
  const log = await crawlLog({ ...crawl, spec: before }, 'stopped', 2000, catalog);
  // A certificate repeats what the log says: both keep the name they were written with.
  expect((await crawlOf(log.body))?.spec.order).toBe('sharc-online');
  const empty = await openSqliteCatalog(':memory:');
  await restoreCrawl(log.body, empty);
  expect((await empty.crawls()).map(({ spec }) => spec.order)).toEqual(['adaptive-organ-pipe']);
  const today = await catalog.createCrawl('other', { ...before, version: SPEC_VERSION }, 1000);
  expect(today.spec.order).toBe('sharc-online');
  await catalog.close();
  await empty.close();
});

test('stopped with more URLs than a short log holds => the first of them, failures before all, and how many are left out', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const crawl = await catalog.createCrawl('key', SPEC, 1000);
  const commit = { crawlId: crawl.id, visits: [], denials: [], captures: [], discovered: [], skips: [] };
  const fileLengths = new Map();
  const count = STOPPED_LOG + 500;
  const discovered = Array.from({ length: count }, (_, i) => entry(String(i), i));
  const { enqueued } = await catalog.commit({ ...commit, discovered, fileLengths });
  const last = enqueued.at(-1);
  const visit = {
    url: last?.url ?? '',
    at: 1001,
    duration: 1,
    reason: '',
    bytes: 0,
    outcome: 'failed',
  } as const;
  const settlement = { entryId: last?.id ?? 0, state: 'failed' } as const;
  const visits = [{ visit, settlement, captures: [], discovered: [], skips: [] }];
  await catalog.commit({ ...commit, visits, fileLengths });

  const lines = async (state: 'stopped' | 'finished') => {
    const { body } = await crawlLog(crawl, state, 2000, catalog);
    const urls = [];
    for await (const line of logLines(body)) if (isEntry(line)) urls.push(line.url);
    return { head: await crawlOf(body), urls };
  };
  const short = await lines('stopped');
  expect(short.head?.leftOut).toBe(500);
  expect(short.urls).toHaveLength(STOPPED_LOG + 1);
  expect(short.urls[0]).toBe(last?.url);
  const whole = await lines('finished');
  expect(whole.head?.leftOut).toBeUndefined();
  expect(whole.urls).toHaveLength(count);
  await catalog.close();
});

test('a log whose last line was cut off => the lines before it, and one counted as damaged', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const crawl = await catalog.createCrawl('key', SPEC, 1000);
  const nothing = { crawlId: crawl.id, visits: [], denials: [], captures: [], skips: [] };
  const discovered = [entry('', 0), entry('one', 1)];
  await catalog.commit({ ...nothing, discovered, fileLengths: new Map() });
  const { body } = await crawlLog(crawl, 'stopped', 2000, catalog);
  const empty = await openSqliteCatalog(':memory:');
  expect(await restoreCrawl(memoryBody(body.bytes?.subarray(0, -20) ?? new Uint8Array()), empty)).toBe(1);
  const [restored] = await empty.crawls();
  expect(await empty.tally(restored?.id ?? 0)).toMatchObject({ pending: 1 });
  await catalog.close();
  await empty.close();
});

test('a stopped log that names a failure twice => one visit of it; a URL named again in any other log => counted', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const crawl = await catalog.createCrawl('key', SPEC, 1000);
  const nothing = { crawlId: crawl.id, visits: [], denials: [], captures: [], discovered: [], skips: [] };
  const fileLengths = new Map();
  const discovered = Array.from({ length: STOPPED_LOG + 1 }, (_, i) => entry(String(i), i));
  const { enqueued } = await catalog.commit({ ...nothing, discovered, fileLengths });
  const [{ id: entryId = 0, url = '' } = {}] = enqueued;
  const visit = { url, at: 1001, duration: 1, reason: '', bytes: 0, outcome: 'failed' } as const;
  const settled = {
    visit,
    settlement: { entryId, state: 'failed' },
    captures: [],
    discovered: [],
    skips: [],
  };
  await catalog.commit({ ...nothing, visits: [settled as VisitCommit], fileLengths });
  const short = await crawlLog(crawl, 'stopped', 2000, catalog);
  const restored = await openSqliteCatalog(':memory:');
  expect(await restoreCrawl(short.body, restored)).toBe(0);
  expect(await restored.visits({ url })).toHaveLength(1);

  const lines = Buffer.from(short.body.bytes ?? new Uint8Array())
    .toString()
    .split('\n');
  const { leftOut: _, ...head } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  // Far apart, and next to each other.
  const doubled = [JSON.stringify(head), ...lines.slice(1, 800), lines[1], lines[1], ''].join('\n');
  const other = await openSqliteCatalog(':memory:');
  expect(await restoreCrawl(memoryBody(Buffer.from(doubled)), other)).toBe(3);
  expect(await other.visits({ url })).toHaveLength(1);
  await Promise.all([catalog.close(), restored.close(), other.close()]);
});
