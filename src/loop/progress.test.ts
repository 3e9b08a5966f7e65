import { describe, expect, it } from 'vitest';
import { entry, visited, visitOf } from '../catalog/conformance/examples.conformance.ts';
import type { CrawlTally } from '../model/crawl.ts';
import { ProgressMeter } from './progress.ts';

const NOTHING: CrawlTally = {
  captured: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  redirects: 0,
  gone: 0,
  failed: 0,
  skipped: 0,
  pending: 0,
  resources: { captured: 0, unchanged: 0, failed: 0 },
  revisits: { captured: 0, unchanged: 0, failed: 0 },
  bytes: 0,
  failures: {},
  skips: {},
  sites: [],
};
const NO_LIMIT = { pageLimit: Number.POSITIVE_INFINITY, time: Number.POSITIVE_INFINITY };

/** Ten pages in ten seconds. */
function tenPages(start = NOTHING): ProgressMeter {
  const meter = new ProgressMeter(start);
  meter.snapshot(0, 0, NO_LIMIT);
  for (let i = 0; i < 10; i++) {
    const { url, kind } = entry(`https://example.org/${i}`);
    meter.count(visited(i, visitOf(url)), kind);
  }
  return meter;
}

describe('time left, at one page a second', () => {
  it('no limit => for all that waits', () => {
    const progress = tenPages().snapshot(300, 10_000, NO_LIMIT);
    expect(progress).toMatchObject({ rate: 1, timeLeft: 300_000 });
    expect(progress).not.toHaveProperty('bound');
    expect(progress).not.toHaveProperty('pageLimit');
  });

  it('a page limit of 25 => for 15 more pages', () => {
    const progress = tenPages().snapshot(300, 10_000, { ...NO_LIMIT, pageLimit: 25 });
    expect(progress).toMatchObject({ timeLeft: 15_000, bound: 'page-limit', pageLimit: 25 });
  });

  it('a page limit that what is known does not reach => for what is known', () => {
    const progress = tenPages().snapshot(5, 10_000, { ...NO_LIMIT, pageLimit: 25 });
    expect(progress.timeLeft).toBe(5_000);
    expect(progress).not.toHaveProperty('bound');
  });

  it('a page that embeds nine images => each page still allowed takes ten requests', () => {
    const meter = tenPages();
    for (let i = 0; i < 90; i++)
      meter.count(visited(100 + i, visitOf(`https://example.org/${i}.png`)), 'resource');
    const progress = meter.snapshot(5000, 10_000, { ...NO_LIMIT, pageLimit: 25 });
    expect(progress).toMatchObject({ rate: 1, timeLeft: 15_000, bound: 'page-limit' });
  });

  it('each page is visited twice => the second visits of those seen and of those that wait as well', () => {
    const progress = tenPages().snapshot(300, 10_000, { ...NO_LIMIT, secondVisits: true });
    expect(progress.timeLeft).toBe(610_000);
    const limited = tenPages().snapshot(300, 10_000, { ...NO_LIMIT, pageLimit: 25, secondVisits: true });
    expect(limited).toMatchObject({ timeLeft: 40_000, bound: 'page-limit' });
  });

  it('a time limit before that => to the time limit', () => {
    const progress = tenPages().snapshot(300, 10_000, { pageLimit: 100, time: 20_000 });
    expect(progress).toMatchObject({ timeLeft: 20_000, bound: 'time-limit' });
  });
});

it('resumed => redirects and pages that are gone count towards the limit', () => {
  const meter = tenPages({ ...NOTHING, captured: 5, redirects: 3, gone: 1, failed: 1 });
  expect(meter.pages).toBe(20);
  meter.count(visited(99, visitOf('https://example.org/moved', { status: 301 })), 'page');
  expect(meter.snapshot(0, 10_000, NO_LIMIT)).toMatchObject({ captured: 15, redirects: 4, failed: 2 });
});
