import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotPlan } from '../../science/patterns/slots.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import { parseChanges } from '../data/page-tables.ts';
import { printed } from '../experiment/text-table.ts';
import { discoverPatterns } from './discover.ts';
import { indexingTrade } from './indexing.ts';
import { patterns, sparkline } from './patterns.ts';
import { periodGaps, watchedFromChanges, watchedFromObservations } from './watched-pages.ts';

const DAY = 86_400;
/** A Monday, 00:00 UTC. */
const MONDAY = 1_325_462_400;

const watched = (text: string, periods: number, timezone: string) =>
  watchedFromChanges(
    parseChanges(text, 'c.tsv').pages,
    slotPlan('daily', { periods, zone: timezone }),
    timezone,
  );

const fromChanges = (text: string, periods: number, timezone = 'UTC') =>
  discoverPatterns(watched(text, periods, timezone), { periods, timezone });

describe('lab patterns', () => {
  test('Example 2 of the paper: 0.1, 0.3, 0.6, 0.42, 0.37, 0.83 in six periods, day for day => that pattern, threshold 0.437', () => {
    const importances = [0.1, 0.3, 0.6, 0.42, 0.37, 0.83];
    const rows = [0, 1, 2].flatMap((day) =>
      importances.map((value, k) => `P1\t${MONDAY + day * DAY + k * 4 * 3600 + 60}\t${value}`),
    );
    const { patterns, thresholds, days } = fromChanges(rows.join('\n'), 6);
    importances.forEach((value, k) => {
      expect(patterns.P1?.[k]).toBeCloseTo(value, 9);
    });
    expect(thresholds.P1).toBeCloseTo(2.62 / 6, 9);
    expect(days).toBe(3);
  });

  test('a change on one of two days => half its importance; two changes in a period => both', () => {
    const text = `a\t${MONDAY + 3600}\t0.5\na\t${MONDAY + 3700}\t0.5\nb\t${MONDAY + DAY + 5}\t0.4\n`;
    const { patterns } = fromChanges(text, 24);
    expect(patterns.a?.[1]).toBeCloseTo(0.375, 9);
    expect(patterns.b?.[0]).toBeCloseTo(0.2, 9);
  });

  test('08:30 UTC in Berlin, winter => slot 9', () => {
    const { patterns } = fromChanges(`a\t${MONDAY + 8.5 * 3600}\t0.5\n`, 24, 'Europe/Berlin');
    expect(patterns.a?.findIndex((value) => value > 0)).toBe(9);
  });

  test('a day of 25 hours (30 October 2022, Berlin) => 24 gaps, one of two hours', () => {
    const plan = slotPlan('daily', { zone: 'Europe/Berlin' });
    const midnight = Date.UTC(2022, 9, 29, 22) / 1000;
    const gaps = periodGaps([], plan, midnight, midnight + 25 * 3600);
    expect(gaps).toHaveLength(24);
    expect(gaps.map(({ from, to }) => (to - from) / 3600).filter((hours) => hours === 2)).toHaveLength(1);
  });

  test('pages that wake at opposite hours => two groups; every page is in one', async () => {
    const rows: string[] = [];
    for (let day = 0; day < 28; day++) {
      for (const [site, hour] of [
        ['early', 3],
        ['late', 20],
      ] as const) {
        for (let page = 0; page < 4; page++) {
          for (let k = 0; k < 3; k++) {
            rows.push(`${site}/${page}\t${MONDAY + day * DAY + (hour + k) * 3600 + 60 * page}\t0.3`);
          }
        }
      }
    }
    const report = fromChanges(rows.join('\n'), 24);
    expect(report.groups.map(({ pages }) => pages.length)).toEqual([4, 4]);
    expect(new Set(report.groups.flatMap(({ pages }) => pages)).size).toBe(8);
    expect(report.learned['early/0']?.changesPerDay).toBeGreaterThan(1);
    const outcome = await patterns.run({ pages: watched(rows.join('\n'), 24, 'UTC') });
    expect(outcome.kind === 'measured' && printed(outcome.text)).toMatch(/early\/0 .*daily/);
  });

  test('one observation, or none at all => a flat pattern, no indexing table', () => {
    const one = watchedFromObservations(new Map([['a', [{ time: 0, changed: true, importance: 0.5 }]]]));
    const report = discoverPatterns(one);
    expect(report.thresholds.a).toBe(0);
    expect(report.indexing).toEqual([]);
    expect(discoverPatterns([]).patterns).toEqual({});
  });
});

describe('indexing', () => {
  const versions = (...importances: number[]): PageVersion[] =>
    importances.map((importance, time) => ({ time, importance }));

  test('δ 0.3: 0.1, 0.5, 0.2, 0.2, 0.1 => 0.5 and the 0.2 that carries the sum over', () => {
    const [row] = indexingTrade(
      [{ name: 'a', pattern: [0.2, 0.4], versions: versions(0.1, 0.5, 0.2, 0.2, 0.1) }],
      [1],
    );
    expect(row?.versions).toBeCloseTo(0.4, 12);
    expect(row?.kept.pooled).toBeCloseTo(0.7 / 1.1, 12);
    expect(row?.limit.pooled).toBeCloseTo(0.7 / 1.1, 12);
    // Two of five, evenly: the third and the fifth.
    expect(row?.everyNth.pooled).toBeCloseTo(0.3 / 1.1, 12);
  });

  test('threshold × 0 => all that changed anything, and all importance', () => {
    const [row] = indexingTrade([{ name: 'a', pattern: [0.5], versions: versions(0, 0.1, 0.2, 0) }], [0]);
    expect(row).toMatchObject({ versions: 0.5, kept: { pooled: 1, perPage: 1 } });
  });

  test('no choice of as many versions keeps more than the limit', () => {
    const page = fc.record({
      name: fc.constant('a'),
      pattern: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
      versions: fc
        .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
        .map((list) => versions(...list)),
    });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 4 }), (pages) => {
        for (const { kept, limit, versions: share } of indexingTrade(pages)) {
          expect(kept.pooled).toBeLessThanOrEqual(limit.pooled + 1e-9);
          expect(kept.perPage).toBeLessThanOrEqual(limit.perPage + 1e-9);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

test('sparkline: 0, half, all => lowest, middle, full', () => {
  expect(sparkline([0, 0.5, 1])).toBe('▁▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
});
