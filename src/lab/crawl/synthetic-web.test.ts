import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChangeProcess } from './change-process.ts';
import { siteToCapture, syntheticWeb, WEB } from './synthetic-web.ts';
import { webAnswer } from './web-fetcher.ts';

const HOUR = 3_600_000;

describe('ChangeProcess', () => {
  test('whoever asks first, and in whatever order => the same times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000 * HOUR }), { minLength: 1 }), (times) => {
        const process = new ChangeProcess(0, 1 / 3600, ['a', 1]);
        const counts = times.map((time) => process.countAt(time));
        const whole = new ChangeProcess(0, 1 / 3600, ['a', 1]).until(1_000 * HOUR);
        expect(counts).toEqual(times.map((time) => whole.filter((at) => at <= time).length));
      }),
    );
  });

  test('one change an hour on average => 10,000 in 10,000 hours, give or take four deviations', () => {
    const count = new ChangeProcess(0, 1 / 3600, ['b']).countAt(10_000 * HOUR);
    expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  test('rate 0 => never', () => {
    expect(new ChangeProcess(0, 0, []).until(1e12)).toEqual([]);
  });
});

describe('syntheticWeb', () => {
  const web = syntheticWeb({ ...WEB, sites: 2, pages: 30, size: 1_000 });
  const [site] = web.sites;

  test('each page leads to eight others and home; the same shape as pure schedules see', () => {
    const known = siteToCapture(site as NonNullable<typeof site>, 10_000);
    expect(known.links?.(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0]);
    expect(known.links?.(29)).toEqual([0]);
    expect(known.rates[0]).toBe(WEB.hottest / 86_400);
    expect(known.delay).toBe(10);
  });

  test('a page between two changes => one version; after it another, of another ETag', () => {
    const page = site?.pages[0];
    const [first = 0, second = 0] = page?.changes.until(WEB.start + 100 * HOUR) ?? [];
    const answer = (at: number, ifNoneMatch?: string) =>
      webAnswer(web, { url: page?.url ?? '', ifNoneMatch }, at);
    expect(answer(first).body).toBe(answer((first + second) / 2).body);
    expect(answer(second).body).not.toBe(answer(first).body);
    expect(answer(first, '"0-1"')).toMatchObject({ status: 304, body: '' });
    expect(answer(second, '"0-1"').status).toBe(200);
    expect(webAnswer(web, { url: 'http://site-1.example/robots.txt' }, 0).status).toBe(404);
  });
});
