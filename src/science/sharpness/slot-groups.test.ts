import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { fillGroups } from './slot-groups.ts';

function bruteForce(costs: readonly Float64Array[], room: readonly number[], item = 0): number {
  if (item === costs.length) return 0;
  return Math.min(
    ...room.map((left, g) =>
      left === 0
        ? Number.POSITIVE_INFINITY
        : (costs[item]?.[g] as number) +
          bruteForce(
            costs,
            room.map((r, h) => (h === g ? r - 1 : r)),
            item + 1,
          ),
    ),
  );
}

test('up to 6 items in up to 4 groups => the least cost of all ways to place them', () => {
  const problem = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 6 }))
    .chain(([groups, items]) =>
      fc.tuple(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: groups, maxLength: groups }),
        fc.array(
          fc.array(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ min: -3, max: 3, noNaN: true })), {
            minLength: groups,
            maxLength: groups,
          }),
          { minLength: items, maxLength: items },
        ),
      ),
    );
  fc.assert(
    fc.property(problem, ([room, rows]) => {
      fc.pre(room.reduce((a, b) => a + b, 0) >= rows.length);
      const costs = rows.map((row) => Float64Array.from(row));
      const found = fillGroups(costs, room);
      const used = room.map((_, g) => found.filter((group) => group === g).length);
      for (const [g, count] of used.entries()) expect(count).toBeLessThanOrEqual(room[g] as number);
      const cost = found.reduce((sum, group, item) => sum + (costs[item]?.[group] as number), 0);
      expect(cost).toBeCloseTo(bruteForce(costs, room), 8);
    }),
  );
});

test('many equal items of large costs => no endless search over moves that gain only rounding', () => {
  const costs = Array.from({ length: 60 }, (_, i) =>
    Float64Array.from({ length: 20 }, (_, g) => 1e6 * (1 + (i % 3)) * Math.abs(g - 9.5) ** 1.1),
  );
  const found = fillGroups(costs, new Array<number>(20).fill(3));
  expect(new Set(found).size).toBe(20);
});

test('more items than room => refused', () => {
  expect(() => fillGroups([new Float64Array(1), new Float64Array(1)], [1])).toThrow('more items than room');
});

test('items alike but for rounding, hot beside cold => placed all the same, no group over its room', () => {
  const size = 25;
  const random = randomNumbers(7);
  for (let round = 0; round < 200; round++) {
    const costs = Array.from({ length: size }, (_, item) => {
      const rate = (item < 5 ? 0.08 : 3e-5) * (1 + (random() < 0.5 ? 0 : 1e-6 * random()));
      return Float64Array.from({ length: size }, (_, slot) => {
        const middle = (size - 1) / 2;
        return rate * (1 + 1e-7 * random()) * (middle ** 2 + (slot - middle) ** 2);
      });
    });
    const groups = fillGroups(costs, new Array(size).fill(1));
    expect(new Set(groups).size).toBe(size);
  }
});
