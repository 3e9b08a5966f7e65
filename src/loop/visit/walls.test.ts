import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT, type WebAnswer } from '../../../test/crawl-rig.ts';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { textOf } from '../../model/body.ts';
import { notThePageUri, wallAnswerUri } from '../../model/derived-uris.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const spec = { politeness: { ...SPEC.politeness, robots: false } };

const wall: WebAnswer = { body: '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>' };

test('a page, then a wall, then the page => one version: the wall is told, kept apart, and no change', async () => {
  const page = { ...linking('/a'), headers: [['ETag', '"one"']] } as const;
  rig = await crawlRig({ '/': (times) => (times === 1 ? wall : page), '/a': linking() });
  await rig.crawl({ spec });
  const second = await rig.crawl({ spec });
  expect(second.tally).toMatchObject({ failed: 1, failures: { 'bot-wall': 1 }, changed: 0, new: 0 });
  const [visit] = await rig.catalog.visits({ url: `${ROOT}/`, limit: 1 });
  expect(visit).toMatchObject({ outcome: 'failed', fault: { kind: 'bot-wall' } });
  // What the server said stands under a name of its own, byte for byte.
  const kept = await rig.catalog.closest(wallAnswerUri(`${ROOT}/`), rig.clock.now());
  expect(kept && (await textOf((await rig.reader.read(kept)).payload))).toContain('_cf_chl_opt');
  const told = await rig.catalog.closest(notThePageUri(`${ROOT}/`), rig.clock.now());
  expect(told && JSON.parse(await textOf((await rig.reader.read(told)).payload))).toMatchObject({
    kind: 'bot-wall',
    status: 200,
    title: 'Just a moment...',
  });
  const third = await rig.crawl({ spec });
  expect(third.tally).toMatchObject({ unchanged: 2, changed: 0, failed: 0 });
  const [seen] = await rig.catalog.sightings([`${ROOT}/`]);
  expect(new Set(seen?.sightings.map(({ sha256 }) => sha256)).size).toBe(1);
  expect(seen?.sightings).toHaveLength(2);
});

test('recogniseWalls: false => whatever answers is the page', async () => {
  rig = await crawlRig({ '/': wall });
  const { tally } = await rig.crawl({ spec: { ...spec, recogniseWalls: false } });
  expect(tally).toMatchObject({ new: 1, failed: 0 });
});

const lost: WebAnswer = {
  body: '<title>Page not found</title><h1>Page not found</h1><p>Home News Sports Weather Contact Imprint</p>',
};

test('two error pages that answer 200 => soft 404s, by one request for an address that cannot exist', async () => {
  const cannotExist = (path: string): boolean => /^\/[0-9a-f]{8}-/.test(path);
  rig = await crawlRig(
    new Proxy<Record<string, WebAnswer>>(
      { '/': linking('/old', '/older'), '/old': lost, '/older': lost },
      { get: (web, path: string) => web[path] ?? (cannotExist(path) ? lost : undefined) },
    ),
  );
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ new: 1, failures: { 'soft-404': 2 } });
  expect(rig.asked.filter(([path]) => cannotExist(path))).toHaveLength(1);
});

test('a page on error pages, of a host that answers 404 for what is not there => a page, and the request is a fact', async () => {
  rig = await crawlRig({ '/': lost });
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ new: 1, failed: 0 });
  const info = await rig.catalog.closest(`urn:pageinfo:${ROOT}/`, rig.clock.now());
  const { facts } = JSON.parse(info ? await textOf((await rig.reader.read(info)).payload) : '{}');
  expect(facts).toEqual([expect.stringMatching(/looks like an error page.*cannot exist: answer 404$/)]);
});

test('rate limits: 429 with Retry-After, and one told in words => asked again later, and captured', async () => {
  rig = await crawlRig({
    '/': (times) =>
      times === 0 ? { status: 429, headers: [['Retry-After', '120']], body: 'slow down' } : linking('/words'),
    '/words': (times) =>
      times === 0 ? { body: '<title>Too Many Requests</title>Too many requests' } : linking(),
  });
  const { tally } = await rig.crawl({ spec });
  expect(tally).toMatchObject({ new: 2, failed: 0 });
  expect(rig.asked.map(([path]) => path)).toEqual(['/', '/', '/words', '/words']);
  expect((rig.asked[1]?.[1] ?? 0) - (rig.asked[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(120_000);
});

test('Retry-After of ten years => told, waited for an hour, and the page is asked for again', async () => {
  rig = await crawlRig({
    '/': (times) => (times === 0 ? { status: 503, headers: [['Retry-After', '315576000']] } : linking()),
  });
  const limits = { ...SPEC.limits, time: 4 * 3_600_000 };
  const { tally } = await rig.crawl({ spec: { ...spec, limits } });
  expect(tally).toMatchObject({ new: 1, failed: 0 });
  const waited = (rig.asked[1]?.[1] ?? 0) - (rig.asked[0]?.[1] ?? 0);
  expect(waited).toBeGreaterThanOrEqual(3_600_000);
  expect(waited).toBeLessThan(3_700_000);
  const told = [
    'example.org is too busy and asks to be left alone for 10 years (Retry-After): it is asked again in 60 minutes, ' +
      'the longest that a crawl waits; stop the crawl and run the same command later to go on then',
  ];
  expect(rig.notes).toEqual(told);
  const crawls = await rig.catalog.crawls();
  expect(await rig.catalog.notes(crawls.at(-1)?.id ?? 0)).toEqual(told);
});

test('a host that answers with walls alone => asked less and less often, then given up', async () => {
  const paths = Array.from({ length: 14 }, (_, i) => `/${i}`);
  rig = await crawlRig({
    '/': linking(...paths),
    ...Object.fromEntries(paths.map((path) => [path, wall])),
  });
  const { tally } = await rig.crawl({ spec });
  expect(tally.failures).toEqual({ 'bot-wall': 14 });
  expect(rig.asked).toHaveLength(11);
  const gaps = rig.asked.slice(2).map(([, at], i) => at - (rig?.asked[i + 1]?.[1] ?? 0));
  expect(gaps.at(-1)).toBeGreaterThan(10 * (gaps[0] ?? 0));
});

test('redirects to a login and to a request for consent outside of the scope => walls, kept apart; to another page => a redirect', async () => {
  const to = (target: string): WebAnswer => ({ status: 302, headers: [['Location', target]] });
  rig = await crawlRig({
    '/': linking('/a', '/b', '/c'),
    '/a': to(`https://login.example.com/?next=${encodeURIComponent(`${ROOT}/a`)}`),
    '/b': to(`https://consent.example.com/collect?url=${encodeURIComponent(`${ROOT}/b`)}`),
    '/c': to('https://example.com/story'),
  });
  const { tally } = await rig.crawl({ spec });
  expect(tally.failures).toEqual({ 'login-wall': 1, 'consent-wall': 1 });
  const [walled] = await rig.catalog.visits({ url: `${ROOT}/a`, limit: 1 });
  expect(walled).toMatchObject({
    outcome: 'failed',
    fault: { kind: 'login-wall', detail: expect.stringContaining('https://login.example.com/') },
  });
  expect(walled?.status).toBeUndefined();
  // No reader of the archive takes the redirect for an answer of the page; its bytes are there.
  expect(await rig.catalog.closest(`${ROOT}/a`, rig.clock.now())).toBeUndefined();
  const kept = await rig.catalog.closest(wallAnswerUri(`${ROOT}/a`), rig.clock.now());
  expect(kept && (await textOf((await rig.reader.read(kept)).payload))).toContain('login.example.com');
  expect(await rig.catalog.closest(`${ROOT}/c`, rig.clock.now())).toMatchObject({ status: 302 });
  // Where they led is told as before: outside of the scope.
  expect(rig.asked.map(([path]) => path)).toEqual(['/', '/a', '/b', '/c']);
  const asItWas = await rig.crawl({ spec: { ...spec, recogniseWalls: false } });
  expect(asItWas.tally.failed).toBe(0);
});
