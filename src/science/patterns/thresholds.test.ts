import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesKept, decide, indexThreshold, newKeeper, thresholdFactor } from './thresholds.ts';

test('δ of Example 2 => 0.4367', () => {
  expect(indexThreshold([0.1, 0.3, 0.6, 0.42, 0.37, 0.83])).toBeCloseTo(2.62 / 6, 12);
});

test('Algorithm 4 with δ = 0.4: 0.5, 0.1, 0.2, 0.15, 0.1 => kept, summed, summed, kept by the sum, summed', () => {
  let keeper = newKeeper(0.4);
  const reasons = [0.5, 0.1, 0.2, 0.15, 0.1].map((importance) => {
    const decision = decide(keeper, importance);
    keeper = decision.next;
    return decision.reason;
  });
  expect(reasons).toEqual([
    'important',
    'below-threshold',
    'below-threshold',
    'accumulated',
    'below-threshold',
  ]);
  expect(keeper.accumulated).toBeCloseTo(0.1, 12);
});

test('nothing changed => never kept, even with a threshold of 0', () => {
  expect(decide(newKeeper(0), 0).keep).toBe(false);
  expect(() => decide(newKeeper(0), 1.5)).toThrow(/\[0, 1\]/);
});

const pasts = fc.array(
  fc.record({
    threshold: fc.double({ min: 0.01, max: 0.9, noNaN: true }),
    versions: fc.array(
      fc.record({
        importance: fc.double({ min: 0, max: 1, noNaN: true }),
        size: fc.integer({ min: 1, max: 1000 }),
      }),
      { maxLength: 20 },
    ),
  }),
  { maxLength: 5 },
);

test('any storage budget is kept by the factor found for it', () => {
  fc.assert(
    fc.property(pasts, fc.integer({ min: 0, max: 20_000 }), (pages, budget) => {
      expect(bytesKept(pages, thresholdFactor(pages, budget))).toBeLessThanOrEqual(budget);
    }),
  );
});

test('room for everything => factor 0; no room => infinite', () => {
  const pages = [{ threshold: 0.2, versions: [{ importance: 1, size: 10 }] }];
  expect(thresholdFactor(pages, 10)).toBe(0);
  expect(thresholdFactor(pages, 9)).toBeGreaterThan(5);
  expect(() => thresholdFactor(pages, -1)).toThrow(RangeError);
});
