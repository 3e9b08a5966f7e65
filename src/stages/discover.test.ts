import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../archive/system-clock.ts';
import { createScope } from '../capture/scope.ts';
import { SPEC } from '../catalog/conformance/examples.conformance.ts';
import type { FrontierEntry } from '../model/crawl.ts';
import { siteOrder } from '../science/policy/site-order.ts';
import { discover, LINKS_PER_TURN, namedSitemaps } from './discover.ts';

const HOME: FrontierEntry = {
  id: 1,
  kind: 'page',
  url: 'https://example.org/',
  host: 'example.org',
  depth: 0,
  extraHops: 0,
  redirects: 0,
  rank: 0,
  reason: 'seed',
  isSeed: true,
  attempts: 0,
  notBefore: 0,
};

test('a page with 20,000 links => all judged, and other work has its turn every few hundred', async () => {
  const links = Array.from({ length: 20_000 }, (_, i) =>
    i % 2 === 0 ? `https://example.org/${i}` : `https://other.example/${i}`,
  );
  let turns = 0;
  let judging = true;
  const counting = (async () => {
    while (judging) {
      await turn();
      turns++;
    }
  })();
  const { discovered, skips } = await discover(
    HOME,
    { links, resources: [] },
    {
      scope: createScope(SPEC),
      order: siteOrder('breadth-first'),
      rates: { rateOf: () => 0 },
      room: Number.POSITIVE_INFINITY,
      batch: 0,
      clock: systemClock,
    },
  );
  judging = false;
  await counting;
  expect(discovered).toHaveLength(10_000);
  expect(skips).toHaveLength(10_000);
  expect(turns).toBeGreaterThanOrEqual(20_000 / LINKS_PER_TURN - 1);
});

test('links to pages that were handed to the frontier => passed over; a redirect to one is not', async () => {
  const known = 'https://example.org/known';
  const context = {
    scope: createScope(SPEC),
    order: siteOrder('breadth-first'),
    rates: { rateOf: () => 0 },
    room: Number.POSITIVE_INFINITY,
    batch: 0,
    clock: systemClock,
    named: new Set([known]),
  };
  const links = [known, 'https://example.org/new'];
  const linked = await discover(HOME, { links, resources: [] }, context);
  expect(linked.discovered.map(({ url }) => url)).toEqual(['https://example.org/new']);
  const led = await discover(HOME, { links: [], resources: [], redirect: known }, context);
  expect(led.discovered.map(({ url }) => url)).toEqual([known]);
});

test('sitemaps that robots.txt names => entries; one that no crawl may fetch => a skip', () => {
  const scope = createScope(SPEC);
  const named = ['https://example.org/sitemap.xml', 'ftp://example.org/sitemap.xml'];
  const { discovered, skips } = namedSitemaps(named, HOME.url, scope);
  expect(discovered.map(({ kind, url }) => [kind, url])).toEqual([['sitemap', named[0]]]);
  expect(skips).toMatchObject([{ url: named[1], reason: 'unsupported-url', via: HOME.url }]);
});

test('dates of a sitemap outside those asked for => skips; without a date, and found by links => taken', async () => {
  const [old, late, fine, undated] = ['old', 'late', 'fine', 'undated'].map(
    (path) => `https://example.org/${path}`,
  );
  const day = (text: string): { lastModified: number } => ({ lastModified: Date.parse(text) });
  const hints = new Map([
    [old as string, day('2020-01-01')],
    [late as string, day('2027-01-01')],
    [fine as string, day('2026-02-01')],
    ['https://example.org/old.xml', day('2020-01-01')],
    ['https://example.org/late.xml', day('2027-01-01')],
  ]);
  const sitemaps = ['https://example.org/old.xml', 'https://example.org/late.xml'];
  const links = [old, late, fine, undated] as string[];
  const context = {
    scope: createScope(SPEC),
    order: siteOrder('breadth-first'),
    rates: { rateOf: () => 0 },
    room: Number.POSITIVE_INFINITY,
    batch: 0,
    clock: systemClock,
    sitemapDates: { from: Date.parse('2026-01-01'), to: Date.parse('2026-12-31') },
  };
  const map: FrontierEntry = { ...HOME, kind: 'sitemap', url: 'https://example.org/map.xml' };
  const { discovered, skips } = await discover(map, { links, resources: [], sitemaps, hints }, context);
  // A sitemap that changed late may name pages of any earlier date.
  expect(discovered.map(({ url }) => url)).toEqual([sitemaps[1], fine, undated]);
  expect(skips.map(({ url, reason }) => [url, reason])).toEqual(
    [sitemaps[0], old, late].map((url) => [url, 'sitemap-date']),
  );
  const linked = await discover(HOME, { links, resources: [] }, context);
  expect(linked.discovered).toHaveLength(4);
});
