import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedBlur } from './blur.ts';
import { blurOfVisit, blurOfVisits, momentsOf } from './moments.ts';
import { sharcOffline, sharcRevisits } from './organ-pipe.ts';
import { sharcOfflineByHour, sharcRevisitsByHour } from './organ-pipe-by-hour.ts';

const orders = (rest: readonly number[]): number[][] =>
  rest.length === 0 ? [[]] : rest.flatMap((x) => orders(rest.filter((y) => y !== x)).map((o) => [x, ...o]));

/** Λ of a page that changes at `rate` in [from, to] only. */
const awake =
  (pages: readonly (readonly [rate: number, from: number, to: number])[]) =>
  (page: number, time: number): number => {
    const [rate, from, to] = pages[page] as (typeof pages)[number];
    return rate * Math.max(0, Math.min(time, to) - from);
  };

describe('moments', () => {
  test('a constant rate => Eq. 2 and Eq. 19', () => {
    const site = { rates: [2, 0, 0, 0, 0, 0], delay: 1 };
    const once = momentsOf((time) => 2 * time, 5 * 4 + 1, 0.25);
    for (const visit of [0, 1, 2, 3, 4, 5]) {
      const visits = Float64Array.of(visit, 0, 0, 0, 0, 0);
      expect(blurOfVisit(once, 4 * visit, 0.25) / 5).toBeCloseTo(expectedBlur(site, { visits }), 9);
    }
    const twice = momentsOf((time) => 2 * time, 11 * 4 + 1, 0.25);
    const visits = Float64Array.of(2, 0, 0, 0, 0, 0);
    const revisits = Float64Array.of(9, 0, 0, 0, 0, 0);
    expect(blurOfVisits(twice, 8, 36, 0.25) / 11).toBeCloseTo(expectedBlur(site, { visits, revisits }), 9);
  });
});

describe('organ pipe by hour', () => {
  test('rates that do not vary => as little blur as the plain organ pipe, exactly up to 64 pages', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 40 }),
        fc.constantFrom(1, 0.1, 30),
        (rates, delay) => {
          const site = { rates, delay };
          const constant = (page: number, time: number): number => (rates[page] as number) * time;
          const blur = expectedBlur(site, sharcOfflineByHour(site, constant));
          expect(blur).toBeCloseTo(expectedBlur(site, sharcOffline(site)), 6);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('300 pages of constant rates => within 0.1% of the plain organ pipe, once and twice', () => {
    const rates = Array.from({ length: 300 }, (_, i) => ((i * 71) % 300) / 300);
    const site = { rates, delay: 1 };
    const constant = (page: number, time: number): number => (rates[page] as number) * time;
    const once = expectedBlur(site, sharcOfflineByHour(site, constant));
    expect(once / expectedBlur(site, sharcOffline(site))).toBeLessThan(1.001);
    const twice = expectedBlur(site, sharcRevisitsByHour(site, constant));
    expect(twice / expectedBlur(site, sharcRevisits(site))).toBeLessThan(1.001);
  });

  test('up to 5 pages awake at times of their own => the least expected blur of all orders', () => {
    const page = fc.tuple(
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 4, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(page, { minLength: 2, maxLength: 5 }), fc.boolean(), (pages, twice) => {
        const size = pages.length;
        const changes = awake(pages);
        const site = { rates: pages.map(([rate]) => rate), delay: 1 };
        // The measure, from a table fine enough for whole hours.
        const end = twice ? 2 * size - 1 : size - 1;
        const tables = pages.map((_, i) => momentsOf((time) => changes(i, time), 16 * end + 1, 1 / 16));
        const blur = (slots: readonly number[]): number =>
          slots.reduce(
            (sum, slot, i) =>
              sum +
              (twice
                ? blurOfVisits(tables[i] as Float64Array, 16 * slot, 16 * (slot + size), 1 / 16)
                : blurOfVisit(tables[i] as Float64Array, 16 * slot, 1 / 16)),
            0,
          );
        const found = (twice ? sharcRevisitsByHour : sharcOfflineByHour)(site, changes);
        const least = Math.min(...orders(pages.map((_, i) => i)).map(blur));
        expect(blur([...found.visits])).toBeCloseTo(least, 6);
      }),
      { numRuns: 60 },
    );
  });

  test('one changes only after the middle, one only before => fetched while they sleep, the third in the middle', () => {
    const changes = awake([
      [1, 1, 2],
      [1, 0, 1],
      [1, 0, 2],
    ]);
    const { visits } = sharcOfflineByHour({ rates: [1, 1, 1], delay: 1 }, changes);
    expect([...visits]).toEqual([0, 2, 1]);
  });

  test.each([0, 1, 2])('%i pages => a slot each', (size) => {
    const site = { rates: Array.from({ length: size }, () => 1), delay: 1 };
    const found = sharcRevisitsByHour(site, (_, time) => time);
    expect([...found.visits].sort()).toEqual(Array.from({ length: size }, (_, i) => i));
    expect(sharcOfflineByHour(site, (_, time) => time).visits).toHaveLength(size);
  });
});
