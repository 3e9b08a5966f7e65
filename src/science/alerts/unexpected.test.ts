import { expect, it } from 'vitest';
import type { ChangePattern } from '../patterns/change-pattern.ts';
import { slotPlan } from '../patterns/slots.ts';
import { chanceOfChange } from './unexpected.ts';

const HOUR = 3_600_000;
/** Two changes an hour by day (8 to 20 UTC), one in a thousand hours at night; each worth 0.1. */
const plan = slotPlan('daily');
const pattern: ChangePattern = {
  plan,
  rate: Float64Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 2 : 0.001)),
  importance: new Float64Array(24).fill(0.1),
  exposure: new Float64Array(24).fill(10),
  evidence: 100,
};
const chance = (hour: number, hours: number, importance: number): number | undefined =>
  chanceOfChange(pattern, { from: hour * HOUR, to: (hour + hours) * HOUR, importance });

it('any change in an hour of the day => 1 − e^−2; at night => 1 − e^−.001', () => {
  expect(chance(10, 1, 0)).toBeCloseTo(1 - Math.exp(-2), 12);
  expect(chance(2, 1, 0)).toBeCloseTo(1 - Math.exp(-0.001), 12);
});

it('the larger the change and the shorter the time, the less it is expected', () => {
  const chances = [
    chance(10, 1, 0),
    chance(10, 1, 0.1),
    chance(10, 1, 0.5),
    chance(10, 0.25, 0.5),
  ] as number[];
  expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  expect(chances[1]).toBeCloseTo(1 - Math.exp(-2 * Math.exp(-1)), 12);
});

it('a pattern of few changes, or no time between => unknown', () => {
  expect(chanceOfChange({ ...pattern, evidence: 3 }, { from: 0, to: HOUR, importance: 0 })).toBeUndefined();
  expect(chance(10, 0, 0)).toBeUndefined();
});
