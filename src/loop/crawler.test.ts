import { afterEach, describe, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT, START, type WebAnswer } from '../../test/crawl-rig.ts';
import { SPEC } from '../catalog/conformance/examples.conformance.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const open = async (web: Parameters<typeof crawlRig>[0]): Promise<CrawlRig> => {
  rig = await crawlRig(web);
  return rig;
};
const politeness = { ...SPEC.politeness, robots: false };
const limits = SPEC.limits;

describe('whose turn it is', () => {
  test('pages of one host => one after the other, a pause after each answer', async () => {
    const { crawl, asked } = await open({ '/': linking('/a', '/b'), '/a': linking(), '/b': linking() });
    const { state, tally } = await crawl({ spec: { politeness } });
    expect([state, tally.captured]).toEqual(['finished', 3]);
    expect(asked).toEqual([
      ['/', 0],
      ['/a', 1010],
      ['/b', 2020],
    ]);
  });

  test('two hosts => at the same time, each at its own pace', async () => {
    const { crawl, asked } = await open({
      '/': linking('/a'),
      '/a': linking(),
      'https://other.example/': linking('/b'),
      'https://other.example/b': linking(),
    });
    await crawl({ spec: { politeness, seeds: [`${ROOT}/`, 'https://other.example/'] } });
    expect(asked).toEqual([
      ['/', 0],
      ['https://other.example/', 0],
      ['/a', 1010],
      ['https://other.example/b', 1010],
    ]);
  });

  test('more hosts than workers => no more requests at once than workers', async () => {
    const hosts = ['a', 'b', 'c'].map((name) => `https://${name}.example/`);
    const answer: WebAnswer = { body: 'x', after: 100 };
    const { crawl, asked } = await open(Object.fromEntries(hosts.map((host) => [host, answer])));
    await crawl({ spec: { politeness, seeds: hosts, workers: 2 } });
    expect(asked.map(([, at]) => at)).toEqual([0, 0, 100]);
  });
});

describe('what robots.txt says', () => {
  test('asked for first, its rules and its delay hold => a skip, and a slower pace', async () => {
    const { crawl, asked, notes } = await open({
      '/robots.txt': {
        body: 'User-agent: *\nDisallow: /no\nCrawl-delay: 99\nSitemap: ftp://example.org/map',
      },
      '/': linking('/no', '/a'),
      '/a': linking(),
    });
    const spec = { politeness: { ...SPEC.politeness, maxCrawlDelay: 5_000 }, sitemaps: true };
    const { tally } = await crawl({ spec });
    expect(asked).toEqual([
      ['/robots.txt', 0],
      ['/', 5010],
      ['/a', 10_020],
    ]);
    expect(tally).toMatchObject({ captured: 2, skips: { robots: 1, 'unsupported-url': 1 } });
    expect(notes).toEqual([expect.stringContaining('asks for a Crawl-delay of 99 s')]);
  });

  test('longer than is read => a note', async () => {
    const body = `User-agent: *\n${'Disallow: /x\n'.repeat(50_000)}`;
    const { crawl, notes } = await open({ '/robots.txt': { body }, '/': linking() });
    await crawl();
    expect(notes).toEqual([`${ROOT}/robots.txt is long: rules past its first 500 KiB do not count`]);
  });

  test('it cannot be had => the page is tried again, then failed, never asked for', async () => {
    const { crawl, asked } = await open({ '/robots.txt': { status: 500 }, '/': linking() });
    const { tally } = await crawl();
    expect(tally).toMatchObject({ failed: 1, failures: { 'robots-unreachable': 1 } });
    expect(asked.map(([path]) => path)).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
  });
});

describe('what does not work at once', () => {
  test('503 with Retry-After => asked again when the server said, and captured', async () => {
    const busy: WebAnswer = { status: 503, headers: [['Retry-After', '30']] };
    const { crawl, asked, catalog } = await open({ '/': (times) => (times === 0 ? busy : linking()) });
    const { tally } = await crawl({ spec: { politeness } });
    expect(tally).toMatchObject({ captured: 1, failed: 0 });
    expect(asked).toEqual([
      ['/', 0],
      ['/', 30_010],
    ]);
    expect((await catalog.visits({})).map(({ outcome }) => outcome).sort()).toEqual(['captured', 'deferred']);
  });

  test('no connection, three times => failed, with the reason; what it waited for is not asked', async () => {
    const { crawl, asked } = await open({ '/': { fault: 'connection-refused' } });
    const { tally } = await crawl({ spec: { politeness } });
    expect(tally).toMatchObject({ failed: 1, failures: { 'connection-refused': 1 } });
    expect(asked).toHaveLength(3);
  });

  test('two embedded things that never answer => the pages are asked for, and those again at the end', async () => {
    const paths = Array.from({ length: 8 }, (_, i) => `/p${i}`);
    const never: WebAnswer = { fault: 'timeout', after: 10_000 };
    const { body } = linking(...paths);
    const { crawl, asked } = await open({
      '/': { body: `${body}<img src="/never1"><img src="/never2">` },
      ...Object.fromEntries(paths.map((path) => [path, linking()])),
      '/never1': never,
      '/never2': never,
    });
    const { tally } = await crawl({ spec: { politeness } });
    expect(tally.captured).toBe(9);
    expect(tally.failures).toEqual({});
    expect(asked.map(([path]) => path)).toEqual([
      ...['/', '/never1', '/never2', ...paths],
      ...['/never1', '/never2', '/never1', '/never2'],
    ]);
  });

  test('a hundred embedded things that never answer => a few are asked for, and all pages', async () => {
    const images = Array.from({ length: 100 }, (_, i) => `<img src="/never${i}">`).join('');
    const never = Array.from({ length: 100 }, (_, i) => [`/never${i}`, { fault: 'timeout' } as WebAnswer]);
    const { body } = linking('/a', '/b');
    const { crawl, asked } = await open({
      '/': { body: `${body}${images}` },
      '/a': linking(),
      '/b': linking(),
      ...Object.fromEntries(never),
    });
    expect((await crawl({ spec: { politeness } })).tally.captured).toBe(3);
    expect(asked.filter(([path]) => path.startsWith('/never')).length).toBeLessThan(20);
  });

  test('a host of which no page answers => given up after five of them', async () => {
    const paths = Array.from({ length: 40 }, (_, i) => `/p${i}`);
    const { crawl, asked } = await open({
      '/': linking(...paths),
      ...Object.fromEntries(paths.map((path) => [path, { fault: 'timeout' } as WebAnswer])),
    });
    const { tally } = await crawl({ spec: { politeness } });
    expect(tally).toMatchObject({ captured: 1, failed: 40 });
    expect(asked).toHaveLength(6);
  });

  test('the proxy is down for a minute => the host waits, and nothing is lost', async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`);
    const { crawl, clock } = await open({
      '/': linking(...paths),
      ...Object.fromEntries(
        paths.map((path) => [
          path,
          () => (clock.now() - START < 60_000 ? ({ fault: 'proxy-failed' } as WebAnswer) : linking()),
        ]),
      ),
    });
    expect((await crawl({ spec: { politeness } })).tally).toMatchObject({ captured: 21, failed: 0 });
  });

  test('a catalog that fails => the crawl ends with its error', async () => {
    const { crawl, catalog } = await open({ '/': linking() });
    const failing = Object.assign(Object.create(catalog), {
      commit: async (batch: Parameters<typeof catalog.commit>[0]) => {
        if (batch.visits.length > 0) throw new Error('the disk is gone');
        return catalog.commit(batch);
      },
    });
    await expect(crawl({ spec: { politeness }, ports: { catalog: failing } })).rejects.toThrow(
      'the disk is gone',
    );
  });

  test('the clock is set back by an hour => the next page does not wait for it', async () => {
    const { crawl, asked, clock } = await open({ '/': linking('/a'), '/a': linking() });
    let back = 0;
    const fickle = { ...clock, now: () => clock.now() - back };
    const late = { ...fickle, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal) };
    const crawling = crawl({ spec: { politeness }, ports: { clock: late } });
    await clock.sleep(500);
    back = 3_600_000;
    await crawling;
    expect(asked.at(-1)?.[1]).toBeLessThan(3_600_000);
  });
});

describe('limits', () => {
  test('pages => as many, the rest skipped', async () => {
    const { crawl, asked } = await open({ '/': linking('/a', '/b', '/c'), '/a': linking() });
    const { state, tally } = await crawl({ spec: { politeness, limits: { ...limits, pages: 2 } } });
    expect([state, asked.length]).toEqual(['finished', 2]);
    expect(tally).toMatchObject({ captured: 2, skips: { 'page-limit': 2 }, pending: 0 });
  });

  test('time => ended then, the rest skipped', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/${i}`);
    const { crawl, clock } = await open({ '/': linking(...paths) });
    const { state, tally } = await crawl({ spec: { politeness, limits: { ...limits, time: 10_500 } } });
    expect([state, tally.failed, tally.skips]).toEqual(['finished', 10, { 'time-limit': 40 }]);
    expect(clock.now()).toBeGreaterThan(0);
  });
});

describe('told to stop', () => {
  test('an answer under way => has a moment, then waits for the next run, which finishes', async () => {
    const slow: WebAnswer = { after: 60_000 };
    const { crawl, asked, clock, catalog } = await open({
      '/': linking('/slow'),
      '/slow': (times) => (times === 0 ? slow : linking()),
    });
    const stop = new AbortController();
    const crawling = crawl({ spec: { politeness }, signal: stop.signal });
    await clock.sleep(5_000);
    stop.abort();
    const { state, tally } = await crawling;
    expect([state, tally.captured, tally.pending]).toEqual(['stopped', 1, 1]);
    const [stopped] = await catalog.crawls();
    const again = await crawl({ spec: { politeness }, ...(stopped && { resume: stopped }) });
    expect([again.state, again.tally.captured, again.tally.pending]).toEqual(['finished', 2, 0]);
    expect(asked.map(([path]) => path)).toEqual(['/', '/slow', '/slow']);
  });

  test('while all wait for their turn => at once', async () => {
    const { crawl, clock } = await open({ '/': linking('/a') });
    const stop = new AbortController();
    const crawling = crawl({
      spec: { politeness: { ...politeness, delay: 3_600_000, maxDelay: 3_600_000 } },
      signal: stop.signal,
    });
    await clock.sleep(60_000);
    const before = clock.now();
    stop.abort();
    expect((await crawling).state).toBe('stopped');
    expect(clock.now() - before).toBeLessThan(5_000);
  });
});
