import { expect, it } from 'vitest';
import type { CrawlReport } from '../archive/crawl/crawl-report.ts';
import { sameArchive } from './commands/common-options.ts';
import { reportText } from './crawl-report-text.ts';

const COUNTS = {
  ...{ captured: 1, new: 1, changed: 0, unchanged: 0, redirects: 0, gone: 0, failed: 0, pending: 0 },
  resources: { captured: 0, unchanged: 0, failed: 0 },
  failures: {},
};

const reportOf = (failed: number, ...sites: string[]): CrawlReport => ({
  ...COUNTS,
  failed,
  sites: sites.map((site) => ({ ...COUNTS, site, failed: failed / sites.length })),
  ...{ skipped: 0, skips: {}, bytes: 0, revisits: { captured: 0, unchanged: 0, failed: 0 } },
  ...{ crawl: 7, state: 'finished', startedAt: 0, duration: 1_000, warcs: [], notes: [], goneUrls: [] },
  ...{ blur: 0, sharp: { strict: 0, visible: 0, pages: 0 } },
  coverage: { proven: 1, inferred: 0, skipped: 0 },
  failedUrls: Array.from({ length: Math.min(20, failed) }, (_, i) => ({
    ...{ url: `https://a.example/${i}`, kind: 'timeout', detail: 'none' },
  })),
});

const named = (text: string): number => text.match(/! timeout/g)?.length ?? 0;

it('five failures => all named, no command', () => {
  const text = reportText(reportOf(5, 'a.example'));
  expect(named(text)).toBe(5);
  expect(text).not.toContain('--failed');
});

it('12 failures of two sites => five named, how many more, the commands that list all, in the same archive', () => {
  const text = reportText(reportOf(12, 'a.example', 'b.example'), sameArchive('/data/my archive'));
  expect(named(text)).toBe(5);
  expect(text).toContain('and 7 more; all of them:');
  for (const site of ['a.example', 'b.example'])
    expect(text).toContain(`daguerre report ${site} --crawl 7 --failed --archive "/data/my archive"\n`);
});

it('a crawl that might leave directories out, and left none => nothing of it but what is known how', () => {
  const none = { pages: 0, directories: 0, expectedMissed: 0, reasons: {}, visitedAfterAll: 0, listed: [] };
  const text = reportText({ ...reportOf(0, 'a.example'), inferred: none });
  expect(text).not.toContain('changed all the same');
  expect(text).toContain('Known how: 1 proven by a visit, 0 inferred');
});
