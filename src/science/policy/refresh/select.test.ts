import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topPages } from './select.ts';

/** The plain way: sort everything. */
function sorted(scores: Float32Array, count: number): number[] {
  return [...scores.keys()]
    .filter((page) => (scores[page] as number) >= 0 && !Object.is(scores[page], -0))
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, Math.max(0, count));
}

test('the selection equals a full sort, ties by page number', () => {
  const score = fc.oneof(
    fc.integer({ min: 0, max: 4 }),
    fc.float({ min: 0, noNaN: true }),
    fc.constantFrom(-1, Number.NaN, Infinity),
  );
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), fc.integer({ min: 0, max: 70 }), (list, count) => {
      const scores = Float32Array.from(list, (value) => (Object.is(value, -0) ? 0 : value));
      expect([...topPages(scores, count)]).toEqual(sorted(scores, count));
    }),
    { numRuns: 1000 },
  );
});

test('nothing asked for, no pages => none', () => {
  expect(topPages(Float32Array.of(1, 2), 0)).toHaveLength(0);
  expect(topPages(new Float32Array(0), 5)).toHaveLength(0);
});
