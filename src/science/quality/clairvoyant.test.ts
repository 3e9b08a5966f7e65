import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clairvoyantSchedule, type Job } from './clairvoyant.ts';

/** Every assignment, tick by tick: which subset of the live jobs is done. */
function bruteForce(jobs: readonly Job[], capacity: readonly number[]): number {
  const known = new Map<string, number>();
  const best = (index: number, room: readonly number[]): number => {
    const job = jobs[index];
    if (!job) return 0;
    const key = `${index}:${room.join()}`;
    const stored = known.get(key);
    if (stored !== undefined) return stored;
    let value = best(index + 1, room);
    for (let k = Math.max(0, job.first); k <= Math.min(room.length - 1, job.last); k++) {
      if ((room[k] as number) < 1) continue;
      const left = room.map((places, tick) => (tick === k ? places - 1 : places));
      value = Math.max(value, Math.max(0, job.weight) + best(index + 1, left));
    }
    known.set(key, value);
    return value;
  };
  return best(0, capacity);
}

const jobs = fc.array(
  fc
    .record({
      first: fc.integer({ min: -1, max: 5 }),
      length: fc.integer({ min: -1, max: 4 }),
      weight: fc.integer({ min: 0, max: 20 }),
    })
    .map(({ first, length, weight }) => ({ first, last: first + length, weight })),
  { maxLength: 9 },
);

test('the greedy equals a brute-force assignment', () => {
  fc.assert(
    fc.property(
      jobs,
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 }),
      (list, room) => {
        const schedule = clairvoyantSchedule(list, room);
        expect(schedule.weight).toBe(bruteForce(list, room));
        const used = room.map(() => 0);
        let weight = 0;
        list.forEach((job, index) => {
          const tick = schedule.tick[index] as number;
          if (tick < 0) return;
          expect(tick).toBeGreaterThanOrEqual(job.first);
          expect(tick).toBeLessThanOrEqual(job.last);
          used[tick] = (used[tick] as number) + 1;
          weight += job.weight;
        });
        expect(weight).toBe(schedule.weight);
        used.forEach((count, tick) => {
          expect(count).toBeLessThanOrEqual(room[tick] as number);
        });
      },
    ),
    { numRuns: 500 },
  );
});

test('a light job with a narrow window is kept when heavier ones can move => 3 + 2 + 1', () => {
  const list = [
    { first: 0, last: 2, weight: 3 },
    { first: 0, last: 1, weight: 2 },
    { first: 0, last: 0, weight: 1 },
  ];
  expect(clairvoyantSchedule(list, [1, 1, 1]).weight).toBe(6);
});

test('no jobs, no ticks, no room => 0', () => {
  expect(clairvoyantSchedule([], [1]).weight).toBe(0);
  expect(clairvoyantSchedule([{ first: 0, last: 3, weight: 1 }], []).weight).toBe(0);
  expect(clairvoyantSchedule([{ first: 0, last: 0, weight: 1 }], [0]).weight).toBe(0);
});
