import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallSite, startSite } from '../../test/e2e/small-site.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../archive/crawl/crawl-settings.ts';
import { openHttpFetcher } from '../capture/http/http-fetcher.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import { fetchResources } from './fetch-resources.ts';

let site: SmallSite;
let folder: string;
let fetcher: Fetcher;
beforeAll(async () => {
  site = await startSite({
    '/style.css': { headers: { 'Content-Type': 'text/css' }, body: 'p{}' },
    '/old.png': { status: 301, headers: { Location: '/new.png' } },
    '/new.png': { headers: { 'Content-Type': 'image/png' }, body: 'bytes' },
    '/loop': { status: 302, headers: { Location: '/loop' } },
    // Longer than any chain that is followed.
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `/hop?${i}`,
        { status: 302, headers: { Location: `/hop?${i + 1}` } },
      ]),
    ),
    '/away': { status: 302, headers: { Location: 'mailto:someone@example.org' } },
  });
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  fetcher = openHttpFetcher({ allowPrivate: true, spoolDir: folder, now: Date.now });
});
afterAll(async () => {
  await fetcher.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const spec = crawlSpec(CRAWL_SETTINGS.parse({}));
const fetched = async (...paths: string[]) => {
  const urls = paths.map((path) => (path.startsWith('/') ? site.url + path : path));
  const { exchanges, lost } = await fetchResources(urls, spec, fetcher, undefined);
  const told = exchanges.map(
    ({ url, response, resourceType }) =>
      `${url.replace(site.url, '')} ${response.status} ${resourceType ?? ''}`,
  );
  return { told, lost };
};

test('files, one of them moved => each answer once, redirects among them, with what it is for', async () => {
  const { told, lost } = await fetched('/style.css', '/old.png', '/style.css', '/missing');
  expect(told).toEqual([
    '/style.css 200 stylesheet',
    '/old.png 301 other',
    '/missing 404 other',
    '/new.png 200 image',
  ]);
  expect(lost).toEqual([]);
});

test('a redirect to itself, and one to what is no file => the answers, and an end', async () => {
  expect((await fetched('/loop', '/away')).told).toEqual(['/loop 302 other', '/away 302 other']);
});

test('redirects without end => lost', async () => {
  const { lost } = await fetched('/hop?0');
  expect(lost).toMatchObject([{ url: `${site.url}/hop?0`, fault: 'redirect-limit', remedy: 'ask' }]);
});

test('a host that does not answer => lost, and the rest all the same', async () => {
  const { told, lost } = await fetched('http://127.0.0.1:1/x.png', '/style.css');
  expect(told).toEqual(['/style.css 200 stylesheet']);
  expect(lost).toMatchObject([
    { url: 'http://127.0.0.1:1/x.png', fault: 'connection-refused', remedy: 'ask' },
  ]);
});
