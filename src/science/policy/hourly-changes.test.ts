import { expect, test } from 'vitest';
import { slotPlan } from '../patterns/slots.ts';
import { hourlyChanges, isRhythmKnown } from './hourly-changes.ts';

const plan = slotPlan('daily');
/** All changes fall into the hour after noon. */
const shape = Float64Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 24 : 0));
const noon = { plan, shape, confidence: 0.9 };
const DAY = Date.UTC(2026, 2, 1) / 1000;

test('a page that changes at noon alone, from 10 to 14 h => nothing until noon, all of it by one', () => {
  const start = DAY + 10 * 3600;
  const changes = hourlyChanges([{ rate: 1 / 86_400, rhythm: noon }, { rate: 2 }], start, start + 4 * 3600);
  expect([0, 1.9, 2.5, 3, 4].map((hours) => changes(0, hours * 3600))).toEqual([
    0,
    0,
    expect.closeTo(0.5),
    expect.closeTo(1),
    expect.closeTo(1),
  ]);
  expect(changes(1, 10)).toBe(20);
});

test('a start within an hour => its rest counts', () => {
  const start = DAY + 12.25 * 3600;
  const changes = hourlyChanges([{ rate: 1 / 86_400, rhythm: noon }], start, start + 3600);
  expect(changes(0, 3600)).toBeCloseTo(0.75);
});

test('the rhythm of a site => known where most of its changes come from pages whose hours are', () => {
  const steady = { rate: 1 };
  expect(isRhythmKnown([{ rate: 3, rhythm: noon }, steady])).toBe(true);
  expect(isRhythmKnown([{ rate: 0.5, rhythm: noon }, steady])).toBe(false);
  expect(isRhythmKnown([])).toBe(false);
});
