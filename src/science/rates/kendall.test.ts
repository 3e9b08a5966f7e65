import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { countPairs, kendall } from './kendall.ts';

describe('kendall', () => {
  it('the same order => 1, opposite => −1, constant or alone => 0', () => {
    expect(kendall([1, 2, 3], [10, 20, 30])).toBe(1);
    expect(kendall([1, 2, 3], [3, 2, 1])).toBe(-1);
    expect(kendall([1, 1, 1], [3, 2, 1])).toBe(0);
    expect(kendall([1], [1])).toBe(0);
    expect(kendall([], [])).toBe(0);
  });

  it('ten ranked twice, with ties => as counted by hand', () => {
    const a = [1, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5, 8, 9.5, 9.5];
    const b = [1, 2, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10];
    // Of 45 pairs 4 are tied in the first, 9 in the second (6 among four, 3 among three), 1 in both; none is opposed.
    expect(countPairs(a, b)).toEqual({
      agreeing: 33,
      opposed: 0,
      tiedInFirst: 4,
      tiedInSecond: 9,
      pairs: 45,
    });
    expect(kendall(a, b)).toBeCloseTo(33 / Math.sqrt(41 * 36), 12);
  });

  it('random lists with many ties => the same as all pairs compared', () => {
    const random = randomNumbers(7);
    for (let run = 0; run < 200; run++) {
      const n = Math.floor(random() * 40);
      const draw = () => Array.from({ length: n }, () => Math.floor(random() * (1 + (run % 20))));
      const [a, b] = [draw(), draw()];
      let [agreeing, opposed, tiedInFirst, tiedInSecond] = [0, 0, 0, 0];
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) {
          const [x, y] = [(a[i] as number) - (a[j] as number), (b[i] as number) - (b[j] as number)];
          if (x * y > 0) agreeing++;
          if (x * y < 0) opposed++;
          if (x === 0) tiedInFirst++;
          if (y === 0) tiedInSecond++;
        }
      }
      const pairs = (n * (n - 1)) / 2;
      expect(countPairs(a, b)).toEqual({ agreeing, opposed, tiedInFirst, tiedInSecond, pairs });
    }
  });

  it('lists of different lengths => refused', () => {
    expect(() => kendall([1], [1, 2])).toThrow('1 values cannot be compared with 2');
  });
});
