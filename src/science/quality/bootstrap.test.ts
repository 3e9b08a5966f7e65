import { describe, expect, test } from 'vitest';
import { bootstrapDifference, bootstrapMean, bootstrapRatio } from './bootstrap.ts';

/** A small linear congruential generator: the test must give the same numbers every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

describe('bootstrap', () => {
  test('equal values => no width', () => {
    expect(bootstrapMean([0.5, 0.5, 0.5], { random: generator(1), rounds: 100 })).toEqual({
      mean: 0.5,
      low: 0.5,
      high: 0.5,
    });
  });

  test('200 coin throws => about the normal interval, mean ± 1.96 · 0.5 / √200', () => {
    const throws = Array.from({ length: 200 }, (_, i) => i % 2);
    const { mean, low, high } = bootstrapMean(throws, { random: generator(7), rounds: 4000 });
    expect(mean).toBe(0.5);
    expect(low).toBeCloseTo(0.5 - 0.0693, 1);
    expect(high).toBeCloseTo(0.5 + 0.0693, 1);
  });

  test('same seed => same interval', () => {
    const run = () => bootstrapMean([1, 2, 4, 8], { random: generator(3), rounds: 500 });
    expect(run()).toEqual(run());
  });

  test('paired: a constant lead over units that differ widely => an interval without width', () => {
    const b = [0.1, 0.9, 0.4, 0.7];
    const a = b.map((value) => value + 0.05);
    const { low, high } = bootstrapDifference(a, b, { random: generator(5), rounds: 200 });
    expect(low).toBeCloseTo(0.05, 12);
    expect(high).toBeCloseTo(0.05, 12);
  });

  test('pairs that differ in number are refused; no values => no mean', () => {
    expect(() => bootstrapDifference([1], [1, 2], { random: generator(1) })).toThrow(/1 and 2/u);
    expect(bootstrapMean([], { random: generator(1) }).mean).toBeNaN();
  });

  test('a is twice b everywhere => ratio 2 without width; the mean of ratios is not what is asked', () => {
    expect(bootstrapRatio([2, 8], [1, 4], { random: generator(3), rounds: 50 })).toEqual({
      mean: 2,
      low: 2,
      high: 2,
    });
    expect(bootstrapRatio([1, 9], [1, 3], { random: generator(3), rounds: 50 }).mean).toBe(2.5);
    expect(() => bootstrapRatio([1], [1, 2], { random: generator(1) })).toThrow(/paired values differ/);
  });
});
