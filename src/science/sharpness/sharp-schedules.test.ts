import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permutations } from '../../../test/science/permutations.ts';
import { expectedBlur } from './blur.ts';
import { bestDate } from './dating.ts';
import { sharcRevisits } from './organ-pipe.ts';
import type { SiteToCapture } from './schedule.ts';
import { sharcThreshold } from './sharc-threshold.ts';
import { sharpAndClear } from './sharp-and-clear.ts';
import { expectedSharp, sharpPages } from './sharp-pages.ts';

const site: SiteToCapture = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const rates = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 });

describe('threshold', () => {
  const changes = [[], [1], [2, 9], [2, 8, 10], [1, 3, 7, 11], [2, 3, 4, 5, 6, 7]];

  test('Example 7.9 with its errata: (a) p5 hopeless => five sharp; (b) none hopeless => one', () => {
    // Only p5 changes within one delay with a probability above 0.99; p4 with 0.982.
    const a = sharcThreshold({ rates: [0, 0.1, 0.2, 0.3, 0.4, 5], delay: 1 }, 0.99);
    expect(a.hopeless).toEqual([5]);
    expect([...a.visits]).toEqual([1, 2, 3, 4, 5, 0]);
    expect([...a.revisits]).toEqual([10, 9, 8, 7, 6, 11]);
    const sharpA = sharpPages(changes, a);
    const b = sharcThreshold(site, 1);
    expect(b.hopeless).toEqual([]);
    expect(sharpA).toEqual([0, 1, 2, 3, 4]);
    expect(sharpPages(changes, b)).toEqual([0]);
  });

  test('all intervals hold the middle (Theorem 7.6)', () => {
    fc.assert(
      fc.property(
        rates,
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        (list, tau) => {
          const { visits, revisits } = sharcThreshold({ rates: list, delay: 1 }, tau);
          const date = bestDate([...visits].map((v, i) => [v, revisits[i] as number] as const));
          expect(date).toMatchObject({ proven: list.length, range: [list.length - 1, list.length] });
        },
      ),
    );
  });

  test('chosen by scanning => no fewer expected sharp pages than with none or all hopeless', () => {
    fc.assert(
      fc.property(rates, (list) => {
        const own = { rates: list, delay: 0.3 };
        const chosen = expectedSharp(own, sharcThreshold(own));
        const plain = expectedSharp(own, sharcThreshold(own, 1));
        expect(chosen).toBeGreaterThanOrEqual(plain - 1e-12);
        expect(chosen).toBeGreaterThanOrEqual(expectedSharp(own, sharcThreshold(own, 0)) - 1e-12);
      }),
    );
  });

  test('a threshold that is no probability => refused', () => {
    expect(() => sharcThreshold(site, 1.5)).toThrow('1.5 is not between 0 and 1');
  });
});

describe('sharp-and-clear', () => {
  test('never worth less than nested intervals or the same order twice', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: 0, max: 1, noNaN: true }), (list, mu) => {
        const own = { rates: list, delay: 0.2 };
        const worth = (s: { visits: Float64Array; revisits: Float64Array }) =>
          expectedSharp(own, s) - mu * expectedBlur(own, s);
        const found = sharpAndClear(own, { blurWeight: mu });
        expect(worth(found)).toBeGreaterThanOrEqual(worth(sharcThreshold(own)) - 1e-9);
        expect(worth(found)).toBeGreaterThanOrEqual(worth(sharcRevisits(own)) - 1e-9);
        expect(found.value).toBeCloseTo(worth(found), 6);
      }),
      { numRuns: 40 },
    );
  });

  test('rates that do not vary, given as expected changes => the same worth', () => {
    const own = { rates: [0.1, 0.7, 0.2, 0.4, 0.05], delay: 1 };
    const constant = sharpAndClear(own, {
      expectedChanges: (page, time) => (own.rates[page] as number) * time,
    });
    expect(constant.value).toBeCloseTo(sharpAndClear(own).value, 6);
  });

  test('optimal or close to it on 4 pages, brute force over all pairs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (list) => {
          const own = { rates: list, delay: 0.5 };
          let most = Number.NEGATIVE_INFINITY;
          const orders: number[][] = [];
          for (const order of permutations(4)) orders.push([...order]);
          for (const v of orders) {
            for (const r of orders) {
              const s = {
                visits: Float64Array.from(v, (x) => x / 2),
                revisits: Float64Array.from(r, (x) => 2 + x / 2),
              };
              most = Math.max(most, expectedSharp(own, s) - 0.1 * expectedBlur(own, s));
            }
          }
          expect(sharpAndClear(own).value).toBeGreaterThan(most - 0.03);
        },
      ),
      { numRuns: 30 },
    );
  });
});
