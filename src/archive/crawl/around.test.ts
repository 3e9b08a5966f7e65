import { expect, test } from 'vitest';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import { startFor } from './around.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;
const spec: CrawlSpec = {
  ...SPEC,
  seeds: ['https://example.org/'],
  limits: { ...SPEC.limits, pages: Number.POSITIVE_INFINITY },
  politeness: { ...SPEC.politeness, delay: 1_000, maxDelay: 30_000 },
};
/** The last capture took `took` ms for `pages` pages. */
const captured = (pages: number, took: number, unfinished?: Crawl) => ({
  crawls: async () => [
    { id: 1, key: 'k', state: 'finished', startedAt: 1000, finishedAt: 1000 + took, spec } as const,
  ],
  async *pagesOfLastCrawl() {
    for (let page = 0; page < pages; page++)
      yield { url: `https://example.org/${page}`, depth: 1, extraHops: 0, crawledAt: 1000 };
  },
  unfinishedCrawl: async () => unfinished,
});

test('60 pages at 2 s each, in an hour => begins a minute before; with revisits two minutes before', async () => {
  const catalog = captured(60, 2 * MINUTE);
  const around = NOW + 60 * MINUTE;
  expect(await startFor(spec, around, NOW, catalog)).toEqual({
    startAt: around - MINUTE,
    duration: 2 * MINUTE,
  });
  const twice = await startFor({ ...spec, revisit: 'sharp' }, around, NOW, catalog);
  expect(twice.startAt).toBe(around - 2 * MINUTE);
});

test('the last capture went faster than this one may => by the pause between requests', async () => {
  const { duration } = await startFor(spec, NOW + 60 * MINUTE, NOW, captured(60, 1000));
  expect(duration).toBe(60 * 1000);
});

test('half of it would be before now => refused, with the earliest middle', async () => {
  await expect(startFor(spec, NOW + 30_000, NOW, captured(60, 2 * MINUTE))).rejects.toThrow(
    'the earliest middle possible is 2026-03-01T12:01:00.000Z',
  );
});

test('nothing captured before => by the page limit, or refused', async () => {
  const around = NOW + 60 * MINUTE;
  await expect(startFor(spec, around, NOW, undefined)).rejects.toThrow(
    /capture the site once before, or give/,
  );
  const limited = { ...spec, limits: { ...spec.limits, pages: 100 } };
  expect((await startFor(limited, around, NOW, undefined)).duration).toBe(100_000);
});

test('an unfinished crawl of the command => goes on at once, and says so', async () => {
  const [crawl] = await captured(1, 1).crawls();
  const plan = await startFor(
    spec,
    NOW - 1,
    NOW,
    captured(60, MINUTE, { ...crawl, state: 'stopped' } as Crawl),
  );
  expect([plan.startAt, plan.note]).toEqual([NOW, expect.stringContaining('goes on at once')]);
});
