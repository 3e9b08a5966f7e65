import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { multiVisit } from './multi-visit.ts';

describe('multi-visit', () => {
  test('rates 1, 4 and 6 downloads => 2 and 4 visits, at the middles of equal parts', () => {
    const { times, end } = multiVisit({ rates: [1, 4], delay: 1 }, 6);
    expect(end).toBe(6);
    expect(times.map((list) => [...list])).toEqual([
      [1.5, 4.5],
      [0.75, 2.25, 3.75, 5.25],
    ]);
  });

  test('greedy => the least Σ λ/k of all ways to spend the budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 3, max: 9 }),
        (list, budget) => {
          const counts = multiVisit({ rates: list, delay: 1 }, budget).times.map((t) => t.length);
          const cost = (k: number[]) => list.reduce((sum, rate, i) => sum + rate / (k[i] as number), 0);
          let least = Number.POSITIVE_INFINITY;
          for (let a = 1; a <= budget; a++)
            for (let b = 1; a + b < budget; b++) least = Math.min(least, cost([a, b, budget - a - b]));
          expect(counts.reduce((a, b) => a + b, 0)).toBe(budget);
          expect(cost(counts)).toBeCloseTo(least, 9);
        },
      ),
    );
  });

  test('a budget below one visit each => refused', () => {
    expect(() => multiVisit({ rates: [1, 1], delay: 1 }, 1)).toThrow('not enough to visit 2 pages once');
    expect(multiVisit({ rates: [], delay: 1 }, 0).times).toEqual([]);
  });
});
