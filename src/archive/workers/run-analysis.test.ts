import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Pages, type SmallSite, startSite } from '../../../test/e2e/small-site.ts';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { findChromium } from '../../capture/browser/find-chromium.ts';
import { textOf } from '../../model/body.ts';
import { deltaUri, layoutUri } from '../../model/derived-uris.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { runCrawl } from '../crawl/run-crawl.ts';
import { type OpenArchive, openForWriting } from '../open/open-archive.ts';
import { type BatchLimits, runAnalysis } from './run-analysis.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: analysis by workers, because there is no Chromium');

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2, 8);
const STORIES = ['Rain all day', 'Mayor resigns', 'Mayor resigns', 'Ferry sold to Denmark', 'Bridge closed'];
const TOKENS = ['a', 'b', 'c', 'd', 'e'];

/**
 * A front page that changes, once only in its bytes; a page whose bytes stay the same according to its server, but not
 * what its script shows.
 */
const edition =
  (hour: number): Pages =>
  (path, { headers }) => {
    if (path === '/')
      return `<!doctype html><html lang="en"><title>The Daily</title><!-- ${TOKENS[hour]} -->
        <header><h1>The Daily</h1><a href="/steady">Steady</a></header>
        <main><h2>${STORIES[hour]}</h2><p>The council met on Monday evening and said nothing else all week.</p></main>
        <footer>Edition ${Math.floor(hour / 3)}. All rights reserved.</footer>`;
    if (path === '/words.js')
      return {
        headers: { 'content-type': 'text/javascript' },
        body: `document.querySelector('p').textContent = 'Words of the ${hour < 2 ? 'first' : 'second'} day of the fair.'`,
      };
    if (path !== '/steady') return undefined;
    if (headers['if-none-match'] === '"1"') return { status: 304, headers: { etag: '"1"' } };
    return {
      headers: { etag: '"1"', 'content-type': 'text/html' },
      body: '<!doctype html><title>Steady</title><h1>Steady</h1><p></p><script src="/words.js"></script>',
    };
  };

let server: TestPostgres;
let folder: string;
let site: SmallSite;
let archives = 0;
const open: OpenArchive[] = [];

beforeAll(async () => {
  if (!noChromium) server = await startPostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  site = await startSite({});
});
afterEach(async () => {
  for (const archive of open.splice(0)) await archive.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

async function archive(database?: string): Promise<OpenArchive> {
  const place = join(folder, `archive-${++archives}`);
  const opened = await openForWriting({ archive: place, ...(database && { database }) }, 'test');
  open.push(opened);
  return opened;
}

/** A crawl as if made at that hour. */
async function crawl(into: OpenArchive, hour: number, isLater: boolean): Promise<void> {
  let now = START + hour * HOUR;
  site.become(edition(hour));
  const { revisit: _, ...spec } = crawlSpec(
    CRAWL_SETTINGS.parse({
      ...{ seeds: [`${site.url}/`], robots: false, allowPrivate: true, delay: 0, sitemaps: false },
      ...{ scopeType: 'host', render: 'always', workers: 1 },
    }),
  );
  await runCrawl(into, {
    spec,
    clock: {
      now: () => now++,
      sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => {}),
    },
    ...{ signal: new AbortController().signal, restart: true, syncEvery: 60_000, certify: false },
    ...(isLater && { piece: { learns: false, analysesLater: true } }),
  });
}

const siteName = (): string => new URL(site.url).host;

/** Runs while there is something to do, as the queue would hand it out. Returns what each batch did. */
async function analyse(into: OpenArchive, limits?: BatchLimits): Promise<readonly number[]> {
  const batches: number[] = [];
  for (let isQueued = true; isQueued; ) {
    isQueued = false;
    let versions = 0;
    await runAnalysis(siteName(), {
      archive: into,
      queue: {
        addAnalyses: async () => {
          isQueued = true;
        },
      },
      clock: { now: Date.now },
      signal: new AbortController().signal,
      ...(limits && { limits }),
      onDoing: () => {},
      onVersion: () => void versions++,
    });
    batches.push(versions);
    if (batches.length > 40) throw new Error('it does not end');
  }
  return batches;
}

const hourOf = (at: number): number => Math.floor((at - START) / HOUR);
const timeless = (xml: string): string =>
  xml.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => `hour ${hourOf(Date.parse(time))}`);

/** What readers are told of the versions of both pages, in hours. */
async function endState({ catalog, reader }: OpenArchive) {
  const changes = (await catalog.changes({ sort: 'time', limit: 100, operationLimit: 100 })).map(
    ({ from, to, ...change }) => ({ ...change, from: hourOf(from), to: hourOf(to) }),
  );
  const records: string[] = [];
  for (const path of ['/', '/steady'])
    for (const uri of [layoutUri, deltaUri])
      for await (const fact of catalog.captures({ url: uri(site.url + path) }))
        records.push(timeless(await textOf((await reader.read(fact)).payload)));
  const patterns: unknown[] = [];
  for await (const { url, kind, changes: times, threshold } of catalog.pagePatterns({ site: siteName() }))
    patterns.push({ url, kind, times, threshold: threshold.toFixed(9) });
  const looks: unknown[] = [];
  for (const path of ['/', '/steady'])
    for (const { sightings } of await catalog.sightings([site.url + path]))
      looks.push(
        sightings.map(({ at, look }) => [hourOf(at), look === undefined ? '' : hourOf(Number(look))]),
      );
  return { changes, records: records.toSorted(), patterns, looks };
}

describe.skipIf(noChromium)('analysis by workers', { timeout: 240_000 }, () => {
  it('versions come out of order, and are analysed between => what one process that analyses in line has', async () => {
    const inLine = await archive();
    for (const hour of STORIES.keys()) await crawl(inLine, hour, false);
    const wanted = await endState(inLine);
    const changed = wanted.changes.map(({ url, from, to }) => [new URL(url).pathname, from, to]);
    expect(changed.toSorted()).toEqual([
      ['/', 0, 1],
      ['/', 1, 3],
      ['/', 3, 4],
      ['/steady', 0, 2],
    ]);

    // Each number is a crawl; after each part, what is waiting is analysed.
    const orders = [[[0, 1, 2, 3, 4]], [[1], [0], [2, 3], [4]], [[0], [3], [4], [1], [2]]];
    for (const order of orders) {
      const later = await archive(server.url);
      for (const part of order) {
        for (const hour of part) await crawl(later, hour, true);
        expect(await later.catalog.waitingSites()).toEqual([{ site: siteName(), pages: 2 }]);
        await analyse(later);
        expect(await later.catalog.waitingSites()).toEqual([]);
      }
      expect(await endState(later), JSON.stringify(order)).toEqual(wanted);
      // Idempotent.
      expect(await analyse(later)).toEqual([0]);
    }
  });

  it('more than a batch => batch by batch, each version once; one that comes meanwhile waits on', async () => {
    const later = await archive(server.url);
    for (const hour of [0, 1, 2]) await crawl(later, hour, true);
    const [before] = await later.catalog.waitingPages(siteName(), 1);
    expect(await analyse(later, { time: 60_000, versions: 2 })).toEqual([2, 2, 2]);
    await crawl(later, 3, true);
    await later.catalog.settleWaiting(before ? [before] : []);
    expect(await later.catalog.waitingSites()).toEqual([{ site: siteName(), pages: 2 }]);
  });
});
