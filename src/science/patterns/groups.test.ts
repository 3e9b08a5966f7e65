import { expect, test } from 'vitest';
import { stream } from '../../lab/newspaper/random.ts';
import { groupPages } from './groups.ts';
import { slotPlan } from './slots.ts';

const plan = slotPlan('daily');
const DAY_SHAPE = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 1.9 : 0.1));
const NIGHT_SHAPE = DAY_SHAPE.map((value) => 2 - value);

function member(site: string, shape: readonly number[], rate: number, hours: number, seed: number) {
  const random = stream(seed, site);
  return {
    site,
    template: 'section',
    depth: 1,
    learner: {
      changes: Float64Array.from(shape, (value) => random.poisson(value * rate * hours)),
      hours: new Float64Array(24).fill(hours),
    },
  };
}

test('two sites by day, one by night => two groups; their shapes are told apart', () => {
  const members = [
    ...Array.from({ length: 5 }, (_, i) => member('a', DAY_SHAPE, 0.2, 60, i)),
    ...Array.from({ length: 5 }, (_, i) => member('b', DAY_SHAPE, 0.1, 60, i)),
    ...Array.from({ length: 5 }, (_, i) => member('c', NIGHT_SHAPE, 0.2, 60, i)),
  ];
  const groups = groupPages(members, plan);
  expect(groups.shapes).toHaveLength(2);
  expect(groups.of[0]).toBe(groups.of[7]);
  expect(groups.of[0]).not.toBe(groups.of[12]);
  expect(groups.shapes[groups.of[0] as number]?.[12]).toBeGreaterThan(1.5);
  expect(groups.shapes[groups.of[12] as number]?.[12]).toBeLessThan(0.5);
});

test('a page unlike its bucket, with changes enough to show it, moves to the group it is like', () => {
  const members = [
    ...Array.from({ length: 6 }, (_, i) => member('a', DAY_SHAPE, 0.2, 60, i)),
    ...Array.from({ length: 6 }, (_, i) => member('c', NIGHT_SHAPE, 0.2, 60, i)),
    member('a', NIGHT_SHAPE, 0.3, 60, 99),
  ];
  const groups = groupPages(members, plan);
  expect(groups.of[12]).toBe(groups.of[6]);
});

test('no page, no change => one flat group', () => {
  expect([...(groupPages([], plan).shapes[0] as Float64Array)]).toEqual(new Array(24).fill(1));
  const silent = groupPages([member('a', DAY_SHAPE, 0, 60, 1)], plan);
  expect(silent.shapes[silent.of[0] as number]?.[0]).toBeCloseTo(1, 6);
});
