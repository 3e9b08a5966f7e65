import { expect, test } from 'vitest';
import { gapsOf, ObservationError } from './observations.ts';
import { paperPattern, timeSeries } from './series.ts';
import { slotPlan } from './slots.ts';

const DAY = 86_400;
const plan = slotPlan('daily', { periods: 6 });
/** Example 2 of the paper: the mean importance of six periods of four hours. */
const EXAMPLE_2 = [0.1, 0.3, 0.6, 0.42, 0.37, 0.83];

test('visits at the edges of the periods => Example 2 comes back as series and as pattern', () => {
  const observations = [{ time: 0, changed: false, importance: 0 }];
  for (let day = 0; day < 3; day++) {
    EXAMPLE_2.forEach((importance, k) => {
      observations.push({ time: day * DAY + (k + 1) * 4 * 3600, changed: true, importance });
    });
  }
  const series = timeSeries(gapsOf(observations), plan);
  expect(series.map(({ day }) => day)).toEqual([0, 1, 2]);
  const pattern = paperPattern(series, plan.slots);
  EXAMPLE_2.forEach((importance, k) => {
    expect(series[1]?.importance[k]).toBeCloseTo(importance, 10);
    expect(pattern.importance[k]).toBeCloseTo(importance, 10);
  });
  expect([...pattern.support]).toEqual([3, 3, 3, 3, 3, 3]);
});

test('a long gap => spread by time, not put into the hour of the visit', () => {
  const observations = [
    { time: 0, changed: false, importance: 0 },
    { time: 8 * 3600, changed: true, importance: 0.4 },
  ];
  const [first] = timeSeries(gapsOf(observations), plan);
  expect(first?.importance[0]).toBeCloseTo(0.2, 10);
  expect(first?.importance[1]).toBeCloseTo(0.2, 10);
  expect(first?.importance[2]).toBeNaN();
});

test('out of order and twice the same moment => one order, one observation', () => {
  const gaps = gapsOf([
    { time: 20, changed: false, importance: 0 },
    { time: 10, changed: true, importance: 0.5 },
    { time: 20, changed: true, importance: 0.3 },
    { time: 30, changed: false, importance: 0 },
  ]);
  expect(gaps).toEqual([
    { from: 10, to: 20, changed: true, importance: 0.3 },
    { from: 20, to: 30, changed: false, importance: 0 },
  ]);
});

test('no observation, one observation => no gap, a pattern of zeros', () => {
  expect(gapsOf([])).toEqual([]);
  expect(gapsOf([{ time: 1, changed: true, importance: 1 }])).toEqual([]);
  expect([...paperPattern([], 3).importance]).toEqual([0, 0, 0]);
});

test('importance outside [0, 1] => refused', () => {
  expect(() => gapsOf([{ time: 1, changed: true, importance: -0.1 }])).toThrow(ObservationError);
});
