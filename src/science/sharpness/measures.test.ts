import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  captureInterval,
  expectedBlur,
  type Interval,
  pageBlur,
  penalty,
  penaltyEq19,
  penaltyOfVisits,
} from './blur.ts';
import { bestDate } from './dating.ts';
import { exactPageBlur } from './exact-blur.ts';
import { doubled, timesOfOrder } from './schedule.ts';
import { expectedSharp, isSharp, sharpPages } from './sharp-pages.ts';
import { worstCase, worstCaseIncreaseEq17 } from './worst-case.ts';

const site = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const identity = { visits: timesOfOrder([0, 1, 2, 3, 4, 5], 1) };

describe('expected blur', () => {
  test('Example 4.2: identity order => 27.5, pages 0, 1.7, 2.6, 3.9, 6.8, 12.5', () => {
    const pages = site.rates.map((rate, i) => pageBlur(rate, [i], [0, 5]));
    for (const [i, blur] of [0, 1.7, 2.6, 3.9, 6.8, 12.5].entries()) expect(pages[i]).toBeCloseTo(blur, 12);
    expect(expectedBlur(site, identity)).toBeCloseTo(27.5, 12);
  });

  test('Example 7.2: the same order twice => 545/22', () => {
    expect(expectedBlur(site, doubled(identity, 1))).toBeCloseTo(545 / 22, 12);
  });

  test('Theorem 4.3: twice the delay => twice the blur', () => {
    const slow = { ...site, delay: 2 };
    expect(expectedBlur(slow, { visits: identity.visits.map((t) => 2 * t) })).toBeCloseTo(55, 12);
  });

  test('§4.4: ω on a general interval is the integral of |t − t_i|, inside and outside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20, max: 20 }),
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: 1, max: 15 }),
        (t, s, length) => {
          const steps = 20_000;
          let sum = 0;
          for (let k = 0; k < steps; k++)
            sum += Math.abs(s + ((k + 0.5) / steps) * length - t) * (length / steps);
          expect(penalty(t, [s, s + length])).toBeCloseTo(sum, 3);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('Eq. 19 is the penalty of two visits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const [v, r] = [Math.min(a, b), Math.max(a, b)];
          expect(penaltyOfVisits([v, r], [0, 1])).toBeCloseTo(penaltyEq19(v, r, 1), 10);
        },
      ),
    );
  });

  test('one page, or none => 0', () => {
    expect(expectedBlur({ rates: [3], delay: 1 }, { visits: Float64Array.of(0) })).toBe(0);
    expect(expectedBlur({ rates: [], delay: 1 }, { visits: new Float64Array(0) })).toBe(0);
    expect(captureInterval({ rates: [], delay: 1 })).toEqual([0, 0]);
  });
});

/** The definition, by sampling: changes between the query time and the nearest visit. */
function sampledBlur(changes: number[], visits: number[], [start, end]: readonly [number, number]): number {
  const steps = 4_000;
  let sum = 0;
  for (let k = 0; k < steps; k++) {
    const t = start + ((k + 0.5) / steps) * (end - start);
    const nearest = visits.reduce((best, v) => (Math.abs(v - t) < Math.abs(best - t) ? v : best));
    const [low, high] = [Math.min(t, nearest), Math.max(t, nearest)];
    sum += changes.filter((h) => low < h && h <= high).length / steps;
  }
  return sum;
}

/** Eq. 22, as printed. Assumes that the visit lies in the interval. */
function exactBlurEq22(changes: ArrayLike<number>, visit: number, [start, end]: Interval): number {
  let sum = 0;
  for (let j = 0; j < changes.length; j++) {
    const change = changes[j] as number;
    if (start <= change && change <= visit) sum += change - start;
    else if (visit < change && change <= end) sum += end - change;
  }
  return end > start ? sum / (end - start) : 0;
}

/** Eq. 23, as printed, with its missing bracket. */
function exactBlurEq23(
  changes: ArrayLike<number>,
  visit: number,
  revisit: number,
  [start, end]: Interval,
): number {
  const middle = (visit + revisit) / 2;
  let sum = 0;
  for (let j = 0; j < changes.length; j++) {
    const change = changes[j] as number;
    if (start < change && change <= visit) sum += change - start;
    else if (visit < change && change <= middle) sum += middle - change;
    else if (middle < change && change <= revisit) sum += change - middle;
    else if (revisit < change && change <= end) sum += end - change;
  }
  return end > start ? sum / (end - start) : 0;
}

describe('exact blur', () => {
  // Changes never coincide with visits or their midpoints: there the definition itself is ambiguous.
  const times = fc.array(
    fc.integer({ min: 0, max: 9 }).map((h) => h + 0.3),
    { maxLength: 6 },
  );
  const time = fc.integer({ min: 0, max: 10 });

  test('Eq. 22 and 23 => the definition, sampled', () => {
    fc.assert(
      fc.property(times, time, time, (changes, a, b) => {
        fc.pre(a !== b);
        const [v, r] = [Math.min(a, b), Math.max(a, b)];
        expect(exactBlurEq22(changes, v, [0, 10])).toBeCloseTo(sampledBlur(changes, [v], [0, 10]), 1);
        expect(exactBlurEq23(changes, v, r, [0, 10])).toBeCloseTo(sampledBlur(changes, [v, r], [0, 10]), 1);
      }),
    );
  });

  test('the general form => Eq. 22 and 23', () => {
    fc.assert(
      fc.property(times, time, time, (changes, a, b) => {
        const [v, r] = [Math.min(a, b), Math.max(a, b)];
        expect(exactPageBlur(changes, [v], [0, 10])).toBeCloseTo(exactBlurEq22(changes, v, [0, 10]), 9);
        expect(exactPageBlur(changes, [v, r], [0, 10])).toBeCloseTo(exactBlurEq23(changes, v, r, [0, 10]), 9);
      }),
    );
  });

  test('a visit outside the observation interval => sampled definition', () => {
    expect(exactPageBlur([3, 6], [-5], [2, 8])).toBeCloseTo(sampledBlur([3, 6], [-5], [2, 8]), 2);
    expect(exactPageBlur([3, 6, 9], [12], [2, 8])).toBeCloseTo(sampledBlur([3, 6, 9], [12], [2, 8]), 2);
  });

  test('no changes, no length => 0', () => {
    expect(exactPageBlur([], [1], [0, 2])).toBe(0);
    expect(exactPageBlur([1], [1], [1, 1])).toBe(0);
  });
});

describe('sharp pages', () => {
  test('a change at either end counts', () => {
    expect([isSharp([2], 2, 5), isSharp([5], 2, 5), isSharp([1, 6], 2, 5)]).toEqual([false, false, true]);
  });

  test('expected: Σ e^{−λ·gap}, weighted', () => {
    const schedule = { visits: Float64Array.of(1, 0), revisits: Float64Array.of(2, 3) };
    expect(expectedSharp({ rates: [1, 2] }, schedule)).toBeCloseTo(Math.exp(-1) + Math.exp(-6), 12);
    expect(expectedSharp({ rates: [1, 2], weights: [0, 5] }, schedule)).toBeCloseTo(5 * Math.exp(-6), 12);
    expect(sharpPages([[2.5], [1]], schedule)).toEqual([0]);
  });
});

describe('dating', () => {
  test('[0,5] [2,8] [3,9] => all three over [3,5]; [0,5] [6,7] => one; none => no date', () => {
    const three = [
      [0, 5],
      [2, 8],
      [3, 9],
    ] as const;
    expect(bestDate(three)).toMatchObject({ proven: 3, range: [3, 5] });
    const apart = [
      [0, 5],
      [6, 7],
    ] as const;
    expect(bestDate(apart)).toMatchObject({ proven: 1, range: [0, 5] });
    expect(bestDate([])).toBeUndefined();
  });

  test('t* => as many intervals as any time of the brute force, and those named', () => {
    const interval = fc
      .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 }))
      .map(([start, length]) => [start, start + length] as const);
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 8 }), (intervals) => {
        const covered = (t: number) => intervals.filter(([s, e]) => s <= t && t <= e).length;
        const most = Math.max(...intervals.flat().map(covered));
        const date = bestDate(intervals);
        expect(date?.proven).toBe(most);
        expect(covered(date?.time ?? -1)).toBe(most);
        expect(covered(date?.range[0] ?? -1)).toBe(most);
        expect(covered(date?.range[1] ?? -1)).toBe(most);
        expect(date?.pages).toHaveLength(most);
      }),
    );
  });

  test('weights => the important page dates the capture', () => {
    expect(
      bestDate(
        [
          [0, 1],
          [0, 1],
          [5, 6],
        ],
        [1, 1, 9],
      )?.range,
    ).toEqual([5, 6]);
  });
});

describe('worst case', () => {
  const rates = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5];

  test('Example 6.1 with its erratum: offline 755, worst 931, increase 176', () => {
    expect(worstCase(rates, 4)).toEqual({ offline: 755, worst: 931, increase: 176 });
  });

  test('Theorem 6.2 (Eq. 17, corrected) => the construction, for every even k', () => {
    for (let k = 0; k <= 10; k += 2)
      expect(worstCaseIncreaseEq17(rates, k)).toBeCloseTo(worstCase(rates, k).increase, 9);
  });

  test('more misplaced than pages, negative => refused', () => {
    expect(() => worstCase(rates, 11)).toThrow('cannot misplace 11 of 10 pages');
    expect(() => worstCase([1, -1], 1)).toThrow('the change rate of page 1 is -1');
  });
});
