import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PatternView } from '../../src/access/patterns.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { openForReading, openForWriting } from '../../src/archive/open/open-archive.ts';
import {
  createNewspaper,
  type NewspaperServer,
  openTruth,
  startNewspaper,
} from '../../src/lab/newspaper/index.ts';
import { siteOf } from '../../src/model/site.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { rankCorrelation } from '../../src/science/rates/rank-correlation.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';

const HOUR = 3_600_000;
/** Monday, 2 March 2026, 00:00 UTC. */
const START = Date.UTC(2026, 2, 2);
const DAYS = 6;
/** Hours between two captures: not a part of a day, so that they fall on other hours each day. */
const EVERY = 2.5;
const PAGES = ['/', '/politics/', '/live/', '/weather/', '/imprint/'];

/** By day the newsroom works (rhythms.ts), by night it hardly does. */
const BY_DAY = (hour: number): boolean => hour >= 6 && hour < 20;

describe('patterns of a living newspaper', () => {
  const world = createNewspaper({ seed: 7, start: START, size: 'medium' });
  let now = START;
  // The paper stands still while it is captured: the same visits see the same, however fast the machine is.
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => {}),
  };
  let newspaper: NewspaperServer;
  let archive: string;
  const url = (path: string): string => `${newspaper.origin}${path}`;

  beforeAll(async () => {
    newspaper = await startNewspaper({ world, clock: clock.now });
    archive = await temporaryFolder();
    const open = await openForWriting({ archive }, 'test');
    const settings = {
      seeds: PAGES.map(url),
      scopeType: 'page',
      render: 'never',
      sitemaps: false,
      robots: false,
      weigh: 'salience',
    };
    const spec = crawlSpec(CRAWL_SETTINGS.parse({ ...settings, allowPrivate: true, delay: 0, perHost: 4 }));
    try {
      for (; now < START + DAYS * 24 * HOUR; now += EVERY * HOUR) {
        const signal = new AbortController().signal;
        await runCrawl(open, { spec, clock, signal, restart: true, syncEvery: 60_000 });
      }
    } finally {
      await open.close();
    }
  }, 120_000);
  afterAll(() => newspaper.close());

  const run = (...args: string[]) => daguerre([...args, '--archive', archive]);
  const views = async (): Promise<readonly PatternView[]> => {
    const { stdout } = await run('patterns', '--json');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as PatternView);
  };
  /** All that is learnt, but for the mark, which is the catalog's own. */
  const tables = async (root = archive) => {
    const { catalog, close } = await openForReading({ archive: root });
    try {
      const site = siteOf(newspaper.origin);
      const pages = [];
      for await (const page of catalog.pagePatterns({})) pages.push(page);
      const { mark: _, ...learnt } = (await catalog.learntSite(site)) ?? { mark: 0 };
      return {
        pages,
        learnt,
        groups: await catalog.patternGroups(site),
        versions: await catalog.versions({}),
      };
    } finally {
      await close();
    }
  };
  const dayOverNight = (values: ArrayLike<number>): number => {
    const mean = (day: boolean): number => {
      const some = Array.from(values).filter((_, hour) => BY_DAY(hour) === day);
      return some.reduce((sum, value) => sum + value, 0) / some.length;
    };
    return mean(true) / mean(false);
  };

  it('more weight by day than by night, as the truth has it', async () => {
    const changes = openTruth(world).changes(START, now);
    const learnt = new Map((await views()).map((view) => [new URL(view.url).pathname, view]));
    for (const path of ['/politics/', '/live/']) {
      const counts = new Float64Array(24);
      for (const { at } of changes.filter((change) => change.path === path)) {
        const hour = Math.floor(at / HOUR) % 24;
        counts[hour] = (counts[hour] as number) + 1;
      }
      const view = learnt.get(path);
      const pattern = view?.pattern[0]?.values ?? [];
      expect(view).toMatchObject({ kind: 'daily', periods: 24, observations: 58, zone: 'UTC' });
      expect(dayOverNight(counts)).toBeGreaterThan(4);
      // Fewer visits than hours: the pattern leans to the truth, and does not reach it.
      expect(dayOverNight(pattern)).toBeGreaterThan(1.3);
      expect(rankCorrelation(pattern, Array.from(counts))).toBeGreaterThan(0.6);
    }
    expect(learnt.get('/imprint/')).toMatchObject({ changes: 0, confidence: 0 });
  });

  it('what was learnt crawl by crawl => the same from the records alone', async () => {
    const before = await tables();
    expect(before.pages).toHaveLength(PAGES.length);
    expect(before.learnt).toMatchObject({ weigh: 'salience' });
    expect(before.versions.length).toBe(PAGES.length * 58);
    for (const ending of ['', '-wal', '-shm'])
      await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
    expect((await run('reindex')).code).toBe(0);
    expect(await tables()).toEqual(before);
  });

  it('its record files imported elsewhere, the newest first => the same', async () => {
    const elsewhere = await temporaryFolder();
    const files = (await readdir(join(archive, 'warc'))).sort().reverse();
    const paths = files.map((file) => join(archive, 'warc', file));
    // Newer records first: what comes with the rest is older than what is known.
    for (const some of [paths.slice(0, 20), paths.slice(20)])
      expect((await daguerre(['import', ...some, '--archive', elsewhere])).code).toBe(0);
    expect(await tables(elsewhere)).toEqual(await tables());
  });

  it('a page => bars, facts; a site => a drawing; nothing known => how far it is', async () => {
    const { stdout } = await run('patterns', '--url', url('/politics/'));
    expect(stdout).toMatch(/daily: 24 periods of 1 h, UTC/);
    expect(stdout).toMatch(/seen 58 times .* 21 changes seen/);
    expect(stdout).toMatch(/\n {4}0 {2}3 {2}6 {2}9 {2}12 15 18 21\n {4}[▁▂▃▄▅▆▇█]{24}\n/);
    const svg = await run('patterns', '--site', siteOf(newspaper.origin), '--format', 'svg');
    expect(svg.stdout).toMatch(/^<svg.*<title>When pages change<\/title>.*<\/svg>\n$/s);
    const none = await run('patterns', '--url', url('/nowhere/'));
    expect(none.stderr).toContain('it was never seen; a pattern needs two visits');
    expect(none.stdout).toBe('');
  });

  it('nothing known, to a file => the drawing says why; what stood there before is gone', async () => {
    const file = join(await temporaryFolder(), 'patterns');
    const write = (format: string) =>
      run('patterns', '--url', url('/nowhere/'), '--format', format, '--out', file);
    expect((await write('svg')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^<svg.*it was never seen.*<\/svg>\n$/s);
    expect((await write('json')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('');
  });
});
