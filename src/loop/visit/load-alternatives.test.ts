import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallSite, startSite } from '../../../test/e2e/small-site.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../archive/crawl/crawl-settings.ts';
import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { createScope } from '../../capture/scope.ts';
import type { FrontierEntry } from '../../model/crawl.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { AskedBefore } from '../../stages/choose-alternatives.ts';
import { loadAlternatives } from './load-alternatives.ts';

let site: SmallSite;
let folder: string;
let fetcher: Fetcher;
beforeAll(async () => {
  site = await startSite((path) => {
    if (path.startsWith('/busy')) return { status: 503, body: 'later' };
    return { headers: { 'Content-Type': 'image/png' }, body: `picture ${path}` };
  });
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  fetcher = openHttpFetcher({ allowPrivate: true, spoolDir: folder, now: Date.now });
});
afterAll(async () => {
  await fetcher.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const entry = (url: string): FrontierEntry => ({
  id: 1,
  kind: 'page',
  url,
  host: new URL(url).host,
  depth: 0,
  extraHops: 0,
  redirects: 0,
  rank: 0,
  reason: 'seed',
  attempts: 0,
  isSeed: true,
  notBefore: 0,
});

async function fetched(
  paths: readonly string[],
  { settings = {}, before = new AskedBefore(), clock = { now: Date.now, sleep: async () => {} } } = {},
) {
  const seeds = [`${site.url}/`];
  const spec = crawlSpec(CRAWL_SETTINGS.parse({ seeds, allowPrivate: true, ...settings }));
  const urls = paths.map((path) => (path.startsWith('/') ? site.url + path : path));
  const { exchanges, lost, skips } = await loadAlternatives(urls, entry(`${site.url}/`), {
    spec,
    scope: createScope(spec),
    fetcher,
    clock,
    before,
  });
  const short = ({ url }: { url: string }) => url.replace(site.url, '');
  return {
    came: exchanges.map((one) => `${short(one)} ${one.resourceType}`),
    lost: lost.map(short),
    skips: skips.map((skip) => `${short(skip)} ${skip.reason}`),
  };
}

test('two pictures => both, as alternatives; once more in the same crawl => not asked for again', async () => {
  const before = new AskedBefore();
  const first = await fetched(['/a.png', '/b.png'], { before });
  expect(first).toEqual({ came: ['/a.png alternative', '/b.png alternative'], lost: [], skips: [] });
  expect(await fetched(['/b.png', '/c.png'], { before })).toMatchObject({ came: ['/c.png alternative'] });
});

test('more than the limit, excluded ones among them => each left out is a skip', async () => {
  const settings = { alternativesLimit: 1, exclude: ['/private/'] };
  expect(await fetched(['/private/a.png', '/b.png', '/c.png'], { settings })).toEqual({
    came: ['/b.png alternative'],
    lost: [],
    skips: ['/private/a.png excluded', '/c.png alternatives-limit'],
  });
});

test('no time left => skips', async () => {
  let at = 0;
  // Each look at the clock is a minute later than the last.
  const clock = { now: () => (at += 60_000), sleep: async () => {} };
  const { came, skips } = await fetched(['/a.png', '/b.png', '/c.png'], { clock });
  expect(came.length + skips.length).toBe(3);
  expect(skips.at(-1)).toBe('/c.png alternatives-limit');
});

test('a server that asks for less => the answers it gave, and the rest is lost, to be asked for later', async () => {
  const paths = Array.from({ length: 30 }, (_, i) => `/busy/${i}.png`);
  const { came, lost, skips } = await fetched(paths);
  expect(came.length).toBeLessThanOrEqual(6);
  // What was answered so is asked for again as well.
  expect(lost).toHaveLength(30);
  expect(skips).toEqual([]);
});

test('past what is remembered => the first are forgotten', () => {
  const before = new AskedBefore(2);
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map((url) => before.add(url))).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
});
