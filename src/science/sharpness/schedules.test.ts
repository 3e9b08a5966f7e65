import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permutations } from '../../../test/science/permutations.ts';
import { expectedBlur } from './blur.ts';
import { sharcOffline, sharcRevisits } from './organ-pipe.ts';
import { orderByBits, orderByComparing } from './rate-order.ts';
import { ScheduleInputError, type SiteToCapture } from './schedule.ts';
import { REVISIT_STRATEGIES, SINGLE_VISIT_STRATEGIES, strategy } from './strategies.ts';

const site: SiteToCapture = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const rates = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 });

describe('conformance: every schedule', () => {
  const everySlot = (times: Float64Array, first: number, delay: number) =>
    expect([...times].map((t) => Math.round(t / delay)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: times.length }, (_, i) => first + i),
    );

  test.each(SINGLE_VISIT_STRATEGIES.map((each) => [each.name, each] as const))(
    '%s => each slot once',
    (_, each) => {
      fc.assert(
        fc.property(
          rates,
          fc.double({ min: 0.1, max: 9, noNaN: true }),
          fc.integer({ min: 1, max: 200 }),
          (list, delay, size) => {
            const links = (page: number) =>
              [2 * page + 1, 2 * page + 2].filter((child) => child < list.length);
            const directories = list.map((_, i) => `d${i % 3}/`);
            everySlot(each.schedule({ rates: list, delay }).visits, 0, delay);
            const online = { rates: list, delay, links, directories, estimatedSize: size };
            everySlot(each.schedule(online).visits, 0, delay);
            expect(each.schedule(online)).toEqual(each.schedule(online));
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  test.each(REVISIT_STRATEGIES.map((each) => [each.name, each] as const))(
    '%s => visits in the first half, revisits in the second',
    (_, each) => {
      fc.assert(
        fc.property(rates, (list) => {
          const { visits, revisits } = each.schedule({ rates: list, delay: 0.5 });
          everySlot(visits, 0, 0.5);
          everySlot(revisits, list.length, 0.5);
        }),
        { numRuns: 30 },
      );
    },
  );

  test.each([...SINGLE_VISIT_STRATEGIES, ...REVISIT_STRATEGIES].map((each) => [each.name, each] as const))(
    '%s: empty, one page, all 0, all equal; bad input refused',
    (_, each) => {
      expect(each.schedule({ rates: [], delay: 1 }).visits).toHaveLength(0);
      expect([...each.schedule({ rates: [2], delay: 1 }).visits]).toEqual([0]);
      everySlot(each.schedule({ rates: [0, 0, 0, 0], delay: 1 }).visits, 0, 1);
      everySlot(each.schedule({ rates: [2, 2, 2], delay: 1 }).visits, 0, 1);
      expect(() => each.schedule({ rates: [1, Number.NaN], delay: 1 })).toThrow(
        'the change rate of page 1 is NaN',
      );
      expect(() => each.schedule({ rates: [-1], delay: 1 })).toThrow(ScheduleInputError);
      expect(() => each.schedule({ rates: [Number.POSITIVE_INFINITY], delay: 1 })).toThrow(
        'must be a finite number',
      );
      expect(() => each.schedule({ rates: [1], delay: 0 })).toThrow('the delay must be');
      expect(() => each.schedule({ rates: [1, 2], delay: 1, weights: [1] })).toThrow('1 weights for 2 pages');
      expect(() => each.schedule({ rates: [1], delay: 1, estimatedSize: -1 })).toThrow('the estimated size');
    },
  );

  test('a name that is none => the names there are', () => {
    expect(() => strategy('sharc')).toThrow(
      /no strategy is named 'sharc'; there are: identity, sharc-offline/,
    );
  });
});

describe('organ pipe', () => {
  test('Example 4.4: λ = 0..5 => slots 0, 5, 1, 4, 2, 3; blur 22.7', () => {
    const schedule = sharcOffline(site);
    expect([...schedule.visits]).toEqual([0, 5, 1, 4, 2, 3]);
    expect(expectedBlur(site, schedule)).toBeCloseTo(22.7, 12);
  });

  test('Theorem 4.5: least blur of all permutations, up to 7 pages, weighted too', () => {
    const page = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 7 }), (pages) => {
        const weighted = { rates: pages.map(([rate]) => rate), weights: pages.map(([, w]) => w), delay: 1 };
        let least = Number.POSITIVE_INFINITY;
        for (const slots of permutations(pages.length)) {
          least = Math.min(least, expectedBlur(weighted, { visits: Float64Array.from(slots) }));
        }
        expect(expectedBlur(weighted, sharcOffline(weighted))).toBeCloseTo(least, 9);
      }),
      { numRuns: 25 },
    );
  });

  test('Example 7.4: SHARC-revisits => 22.59; the optimum of all visit-revisit pairs is 22.5227', () => {
    const schedule = sharcRevisits(site);
    expect([...schedule.revisits]).toEqual([6, 11, 7, 10, 8, 9]);
    expect(expectedBlur(site, schedule)).toBeCloseTo(22.59, 2);
    let least = Number.POSITIVE_INFINITY;
    const orders: number[][] = [];
    for (const order of permutations(6)) orders.push([...order]);
    for (const visits of orders) {
      for (const revisits of orders) {
        let blur = 0;
        for (let i = 1; i < 6; i++) {
          const v = visits[i] as number;
          const r = 6 + (revisits[i] as number);
          blur += (i * (v * v - (v + r) ** 2 / 4 + r * r - r * 11 + 60.5)) / 11;
        }
        if (blur < least) least = blur;
      }
    }
    expect(orders).toHaveLength(720);
    expect(least).toBeCloseTo(22.5227, 4);
  });

  test('bits => the same order as comparing, ties and -0 too', () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e3, noNaN: true }),
      fc.constantFrom(0, -0, 5e-324, 1, 1e300),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (list) => {
        expect([...orderByBits(list)]).toEqual([...orderByComparing(list)]);
      }),
    );
    // Equal in their upper bits: the fast path gives up.
    const close = Array.from({ length: 500 }, (_, i) => 1 + (500 - i) * Number.EPSILON);
    expect([...orderByBits(close)]).toEqual([...orderByComparing(close)]);
  });
});
