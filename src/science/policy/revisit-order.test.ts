import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedSharp } from '../sharpness/sharp-pages.ts';
import { revisitOrder, type VisitedPage } from './revisit-order.ts';

const PACE = { start: 100, delay: 1 };

function expected(pages: readonly VisitedPage[], order: readonly number[], { start, delay } = PACE): number {
  const revisits = new Float64Array(pages.length);
  order.forEach((page, slot) => {
    revisits[page] = start + slot * delay;
  });
  return expectedSharp(
    { rates: pages.map(({ rate }) => rate) },
    { visits: Float64Array.from(pages, ({ visit }) => visit), revisits },
  );
}

test('for blur => the order of the visits again', () => {
  const pages = [5, 3, 9, 1].map((visit) => ({ visit, rate: visit }));
  expect(revisitOrder(pages, 'blur', PACE).order).toEqual([3, 1, 0, 2]);
});

test('for sharp, visited coldest first => the last visited, hottest, is revisited first: nested intervals', () => {
  const pages = [96, 97, 98, 99].map((visit, i) => ({ visit, rate: 0.01 * (i + 1) }));
  expect(revisitOrder(pages, 'sharp', PACE).order).toEqual([3, 2, 1, 0]);
});

test('for sharp, a page beyond hope => gives the first slot to one that may be sharp', () => {
  const pages = [
    { visit: 90, rate: 1 },
    { visit: 98, rate: 0.1 },
    { visit: 97, rate: 0.05 },
  ];
  expect(revisitOrder(pages, 'sharp', PACE).order[0]).not.toBe(0);
});

test('for sharp, by hour: a page that sleeps until the end => is left to the last slot, a steady one of its rate is not', () => {
  const pages = [96, 97, 98, 99].map((visit) => ({ visit, rate: 0.05 }));
  const asleep = (page: number, time: number): number => (page === 3 ? 0 : 0.05 * time);
  const { order, name } = revisitOrder(pages, 'sharp', PACE, { changes: asleep });
  expect([order.at(-1), name]).toEqual([3, 'sharpest-within by hour']);
  expect(revisitOrder(pages, 'sharp', PACE).order.at(-1)).not.toBe(3);
});

const anyPages = fc.array(
  fc.record({
    visit: fc.double({ min: 0, max: 99, noNaN: true }),
    rate: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 40 },
);

test('whatever the pages => each once', () => {
  fc.assert(
    fc.property(anyPages, fc.constantFrom('blur' as const, 'sharp' as const), (pages, purpose) => {
      const { order } = revisitOrder(pages, purpose, PACE);
      expect(order.toSorted((a, b) => a - b)).toEqual(pages.map((_, page) => page));
    }),
  );
});

test('for sharp => no fewer sharp pages than any of 6 pages in another order, but for the blur term', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 2, maxLength: 6 }),
      (rates) => {
        const pages = rates.map((rate, i) => ({ visit: 94 + i, rate }));
        const best = Math.max(...permutations(pages.length).map((order) => expected(pages, order)));
        expect(expected(pages, revisitOrder(pages, 'sharp', PACE).order)).toBeGreaterThan(
          best - 0.1 * rates.length,
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('20,000 pages => planned all the same, better than in turn', () => {
  const pages = Array.from({ length: 20_000 }, (_, i) => ({
    visit: i / 1000,
    rate: ((i * 7919) % 1000) / 20_000,
  }));
  const pace = { start: 20, delay: 0.001 };
  const { order } = revisitOrder(pages, 'sharp', pace);
  expect(expected(pages, order, pace)).toBeGreaterThan(
    expected(pages, revisitOrder(pages, 'blur', pace).order, pace),
  );
});

function permutations(size: number): number[][] {
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((rest) =>
    Array.from({ length: size }, (_, at) => [...rest.slice(0, at), size - 1, ...rest.slice(at)]),
  );
}
