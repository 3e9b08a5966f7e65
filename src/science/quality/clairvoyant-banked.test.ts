import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clairvoyantSchedule, type Job } from './clairvoyant.ts';
import { bankedOptimum } from './clairvoyant-banked.ts';

/** Tick by tick: what is earned is added, any of the live jobs may be done for one visit each. */
function bruteForce(jobs: readonly Job[], earned: readonly number[]): number {
  const known = new Map<string, number>();
  const best = (tick: number, balance: number, done: number): number => {
    if (tick === earned.length) return 0;
    const key = `${tick}:${balance}:${done}`;
    const stored = known.get(key);
    if (stored !== undefined) return stored;
    const has = balance + (earned[tick] as number);
    const live = jobs
      .map((_, index) => index)
      .filter((index) => {
        const { first, last } = jobs[index] as Job;
        return first <= tick && tick <= last && !(done & (1 << index));
      });
    let most = 0;
    for (let set = 0; set < 1 << live.length; set++) {
      const chosen = live.filter((_, place) => set & (1 << place));
      if (chosen.length > has) continue;
      const weight = chosen.reduce((sum, index) => sum + (jobs[index] as Job).weight, 0);
      const after = chosen.reduce((mask, index) => mask | (1 << index), done);
      most = Math.max(most, weight + best(tick + 1, has - chosen.length, after));
    }
    known.set(key, most);
    return most;
  };
  return best(0, 0, 0);
}

const jobs = fc.array(
  fc
    .record({
      first: fc.integer({ min: -1, max: 5 }),
      length: fc.integer({ min: -1, max: 3 }),
      weight: fc.integer({ min: 0, max: 20 }),
    })
    .map(({ first, length, weight }) => ({ first, last: first + length, weight })),
  { maxLength: 6 },
);
const earned = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 });

test('any jobs, any earnings => what the best of all schedules with a bank would do', () => {
  fc.assert(
    fc.property(jobs, earned, (list, income) => {
      expect(bankedOptimum(list, income)).toBe(bruteForce(list, income));
    }),
    { numRuns: 300 },
  );
});

test('it is the optimum without a bank of the same jobs with windows from 0 on, and never below that of their own', () => {
  fc.assert(
    fc.property(jobs, earned, (list, income) => {
      const live = list.filter(({ first, last }) => last >= Math.max(0, first) && first < income.length);
      const early = live.map((job) => ({ ...job, first: 0 }));
      expect(bankedOptimum(live, income)).toBe(clairvoyantSchedule(early, income).weight);
      expect(bankedOptimum(live, income)).toBeGreaterThanOrEqual(clairvoyantSchedule(live, income).weight);
    }),
  );
});

test('three versions live at tick 2 alone, one visit earned at each of ticks 0 to 2 => all three; without a bank one', () => {
  const list = [3, 2, 1].map((weight) => ({ first: 2, last: 2, weight }));
  expect(bankedOptimum(list, [1, 1, 1])).toBe(6);
  expect(clairvoyantSchedule(list, [1, 1, 1]).weight).toBe(3);
  expect(bankedOptimum(list, [0, 0, 0, 5])).toBe(0);
});
