import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReport } from '../../src/archive/crawl/crawl-report.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { openForReading, openForWriting } from '../../src/archive/open/open-archive.ts';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';
import { type Pages, type SmallSite, startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: what `store: important` leaves out, because there is no Chromium');

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2, 8);

const edition = (story: string, visitors: number, token: string): Pages => ({
  '/': `<!doctype html><html lang="en"><title>The Daily</title><meta name="token" content="${token}">
    <style>body{margin:0;font:16px sans-serif} header,footer{background:#ddd;padding:20px} main{width:700px;padding:20px}</style>
    <header><h1>The Daily</h1><a href="/#home">Home</a></header>
    <main><h2>${story}</h2><p>${`${story} and all there is to say about it, in many words. `.repeat(8)}</p>
    <p>The ferry leaves at eight, as it did all year, and comes back when the tide lets it.</p></main>
    <footer><p>All rights reserved.</p><p>${visitors} visitors</p></footer>`,
});

describe.skipIf(noChromium)('store: important', () => {
  let site: SmallSite;
  let archive: string;
  let now = START;
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => {}),
  };
  const reports: CrawlReport[] = [];

  beforeAll(async () => {
    site = await startSite(edition('Rain', 1, 'a'));
    archive = await temporaryFolder();
    const open = await openForWriting({ archive }, 'test');
    const settings = { seeds: [`${site.url}/`], scopeType: 'page', store: 'important', robots: false };
    const spec = crawlSpec(
      CRAWL_SETTINGS.parse({ ...settings, allowPrivate: true, delay: 0, sitemaps: false }),
    );
    const editions: Pages[] = [
      ...['Rain', 'Storm', 'Flood', 'Fair'].map((story) => edition(story, 1, 'a')),
      // A number in the footer; the same again under other bytes; back, and a story.
      edition('Fair', 2, 'a'),
      edition('Fair', 2, 'b'),
      edition('Fair', 1, 'a'),
      edition('Harvest', 3, 'c'),
    ];
    try {
      for (const pages of editions) {
        site.become(pages);
        const signal = new AbortController().signal;
        reports.push(await runCrawl(open, { spec, clock, signal, restart: true, syncEvery: 60_000 }));
        now += HOUR;
      }
    } finally {
      await open.close();
    }
  }, 300_000);
  afterAll(() => site.close());

  const reading = async <T>(use: (catalog: Catalog) => Promise<T>): Promise<T> => {
    const open = await openForReading({ archive });
    try {
      return await use(open.catalog);
    } finally {
      await open.close();
    }
  };
  const versions = () =>
    reading(async (catalog) => [...(await catalog.versions({ url: `${site.url}/` }))].reverse());

  const hour = (at: number): number => (at - START) / HOUR;

  it('a number in the footer => left out; the same again => no news; a story => kept', async () => {
    const told = (await versions()).map(
      ({ at, reason, indexed, kept }) =>
        `${hour(at)} ${reason}${indexed ? ', indexed' : ''}${kept ? '' : ', left out'}`,
    );
    expect(told).toEqual([
      '0 first, indexed',
      '1 no-pattern, indexed',
      '2 important, indexed',
      '3 important, indexed',
      '4 below-threshold, left out',
      '5 unchanged, left out',
      '6 below-threshold, left out',
      '7 important, indexed',
    ]);
    const [, , , , small, again] = await versions();
    expect(small?.importance).toBeGreaterThan(0);
    expect(small?.importance).toBeLessThan(small?.threshold ?? 0);
    expect(again).toMatchObject({ importance: 0, accumulated: small?.accumulated });
    // Back at what is archived, bytes and all: a revisit record says so.
    expect(reports.map(({ captured, unchanged, dropped = 0 }) => [captured, unchanged, dropped])).toEqual([
      ...[0, 1, 2, 3].map(() => [1, 0, 0]),
      [0, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]);
  });

  it('of what is left out, page info and delta stay, and no answer is told that is not there', async () => {
    const records = await reading(async (catalog) => {
      const found = new Map<number, string[]>();
      for await (const { at, type, url } of catalog.captures({})) {
        const name = /^urn:(\w+):/.exec(url)?.[1] ?? type;
        if (name !== 'crawl' && name !== 'certificate')
          found.set(hour(at), [...(found.get(hour(at)) ?? []), name]);
      }
      return found;
    });
    const whole = ['response', 'delta', 'layout', 'pageinfo', 'snapshot', 'text', 'thumbnail', 'view'];
    expect(records.get(3)).toEqual(whole);
    expect(records.get(4)).toEqual(['delta', 'pageinfo']);
    expect(records.get(5)).toEqual(['pageinfo']);
    expect(records.get(6)).toEqual(['revisit', 'pageinfo']);
    expect(records.get(7)).toEqual(whole);
    const changes = await reading((catalog) => catalog.changes({ sort: 'time' }));
    expect(changes.map(({ from, to }) => [hour(from), hour(to)])).toEqual([
      [3, 7],
      [3, 4],
      [2, 3],
      [1, 2],
      [0, 1],
    ]);
    expect((await daguerre(['verify', '--archive', archive])).code).toBe(0);
  });

  it('reindex => the same decisions, changes and patterns', async () => {
    const tables = () =>
      reading(async (catalog) => {
        const patterns = [];
        for await (const page of catalog.pagePatterns({})) patterns.push(page);
        return { patterns, versions: await catalog.versions({}), changes: await catalog.changes({}) };
      });
    const before = await tables();
    expect(before.patterns).toMatchObject([{ observations: 8, changes: 6 }]);
    for (const ending of ['', '-wal', '-shm'])
      await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect(await tables()).toEqual(before);
  });
});
