import { expect, test } from 'vitest';
import { HOSTS_AS_SITES } from '../../model/site-bounds.ts';
import { isOpenAt, liveSites } from './live-site.ts';
import { watchConfig } from './watch-settings.ts';

const sitesOf = (...sites: object[]) =>
  liveSites(watchConfig({ budget: { requestsPerHour: 10 }, sites }), HOSTS_AS_SITES);

test('a site of one host => its pages, not those of others, nor what is excluded', () => {
  const [site] = sitesOf({ url: 'https://example.org/', exclude: ['/search'] });
  const has = ['https://example.org/a', 'https://example.org/search?q=1', 'https://other.org/'].map((url) =>
    site?.has(url),
  );
  expect(has).toEqual([true, false, false]);
});

test('forced pages => as often as was asked for; all below a path that ends in *', () => {
  const [site] = sitesOf({ url: 'https://example.org/', pages: { every: '1h', of: ['/', '/news/*'] } });
  const every = ['https://example.org/', 'https://example.org/news/1', 'https://example.org/about'].map(
    (url) => site?.everyOf(url, 0),
  );
  expect(every).toEqual([3_600_000, 3_600_000, undefined]);
  expect(site?.wanted).toEqual(['https://example.org/', 'https://example.org/']);
});

test('two entries of one site => refused, with what to do', () => {
  expect(() => sitesOf({ url: 'https://example.org/a/' }, { url: 'https://example.org/b/' })).toThrow(
    /are of one site, example\.org: write one entry/,
  );
});

test.each([
  ['22:00-06:00 Europe/Paris', '2026-11-17T20:30:00Z', false],
  ['22:00-06:00 Europe/Paris', '2026-11-17T21:30:00Z', true],
  ['22:00-06:00 Europe/Paris', '2026-11-18T04:59:00Z', true],
  ['22:00-06:00 Europe/Paris', '2026-11-18T05:00:00Z', false],
  ['08:00-18:00', '2026-11-18T08:00:00Z', true],
  ['08:00-18:00', '2026-11-18T18:00:00Z', false],
])('only %s at %s => open: %s', (only, at, isOpen) => {
  const [site] = sitesOf({ url: 'https://example.org/', only });
  if (!site) throw new Error('no site');
  expect(isOpenAt(site.settings, Date.parse(at))).toBe(isOpen);
});
