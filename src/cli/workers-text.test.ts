import { expect, it } from 'vitest';
import type { BatchCrawl, BatchReport } from '../archive/workers/hand-over.ts';
import { batchText } from './workers-text.ts';

const crawl = (more: Partial<BatchCrawl>): BatchCrawl => ({
  ...{ crawl: 1, site: 'example.org', seeds: ['https://example.org/'], state: 'withdrawn' },
  ...{ settled: 0, waiting: 0 },
  ...more,
});

const withdrawn = (...crawls: BatchCrawl[]): string => {
  // Resources wait too, which are no pages.
  const counts = { captured: 3, unchanged: 0, failed: 0, skipped: 0, pending: 0, bytes: 10 };
  const report: BatchReport = { batch: 'x', state: 'withdrawn', ...counts, crawls };
  return batchText(report).split('\n')[0] ?? '';
};

it.each([
  [
    'in mid-crawl',
    [crawl({ settled: 9, waiting: 596 }), crawl({}), crawl({}), crawl({ state: 'finished', settled: 4 })],
    'The same command goes on: 596 pages and resources wait, and 2 crawls have not begun.',
  ],
  ['before any began', [crawl({})], 'The same command goes on: 1 crawl has not begun.'],
  [
    'with one left',
    [crawl({ settled: 1, waiting: 1 })],
    'The same command goes on: 1 page or resource waits.',
  ],
  ['where all is done', [crawl({ state: 'finished', settled: 3 })], 'The same command goes on.'],
])('a hand-over withdrawn %s => what is left, as its progress told', (_, crawls, sentence) => {
  expect(withdrawn(...crawls)).toBe(`Withdrawn: workers finish the pages in hand. ${sentence}`);
});
