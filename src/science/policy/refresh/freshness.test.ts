import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choRate, freshnessOptimum, inverseMarginal } from './freshness.ts';

const freshness = (rates: readonly number[], often: ArrayLike<number>): number =>
  rates.reduce((sum, rate, i) => {
    const f = often[i] as number;
    return sum + (f > 0 ? (f / rate) * (1 - Math.exp(-rate / f)) : 0);
  }, 0);

test("Cho's five pages, λ = 1..5 a day, 5 visits a day => 1.15, 1.36, 1.35, 1.14, 0.00 (TODS 28(4), Table)", () => {
  const often = freshnessOptimum([1, 2, 3, 4, 5], 5, 100);
  [1.15, 1.36, 1.35, 1.14, 0].forEach((value, i) => {
    expect(often[i]).toBeCloseTo(value, 2);
  });
});

test('the budget is used up, and no shift of a visit from one page to another is better', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.01, max: 5, noNaN: true }), { minLength: 2, maxLength: 6 }),
      fc.double({ min: 0.05, max: 0.9, noNaN: true }),
      (rates, share) => {
        const budget = share * rates.length;
        const often = freshnessOptimum(rates, budget, 1);
        expect(often.reduce((a, b) => a + b, 0)).toBeCloseTo(budget, 3);
        const best = freshness(rates, often);
        for (let from = 0; from < rates.length; from++) {
          for (let to = 0; to < rates.length; to++) {
            const shift = Math.min(0.01, often[from] as number, 1 - (often[to] as number));
            if (from === to || !(shift > 1e-6)) continue;
            const other = often.slice();
            other[from] = (other[from] as number) - shift;
            other[to] = (other[to] as number) + shift;
            expect(freshness(rates, other)).toBeLessThan(best + 1e-5);
          }
        }
      },
    ),
    // What the search for a price left over once went to pages that had been given up.
    { examples: [[[1.49396, 0.1124832, 1.1841063, 1.49396, 1.49396], 0.05]] },
  );
});

test('the inverse of the marginal is its inverse', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 0.999999, noNaN: true }), (y) => {
      const x = inverseMarginal(y);
      // expm1 keeps the digits that 1 − (1 + x)e^{−x} loses near 0.
      expect(-Math.expm1(-x) - x * Math.exp(-x)).toBeCloseTo(y, 9);
    }),
  );
});

test("Cho's estimator: never changed, always changed => finite", () => {
  expect(choRate(10, 10)).toBe(0);
  expect(choRate(0, 10)).toBeCloseTo(Math.log(21), 12);
  expect(choRate(0, 0)).toBe(0);
});

test('no budget => none; more than all => the limit', () => {
  expect([...freshnessOptimum([1, 2], 0)]).toEqual([0, 0]);
  expect([...freshnessOptimum([1, 2], 5)]).toEqual([1, 1]);
});
