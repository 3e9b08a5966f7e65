import { expect, test } from 'vitest';
import { observationInterval, observedBlur } from './observation.ts';

const HOUR = 3_600_000;

test('a capture from 10 to 12 h, one that ended at 4 h before and one from 20 h on after => observed from 7 to 16 h', () => {
  const own = [10 * HOUR, 12 * HOUR] as const;
  expect(observationInterval(own, { previousEnd: 4 * HOUR, nextStart: 20 * HOUR })).toEqual([
    7 * HOUR,
    16 * HOUR,
  ]);
  expect(observationInterval(own, {})).toEqual(own);
  expect(observationInterval(own, { previousEnd: 11 * HOUR, nextStart: 11 * HOUR })).toEqual(own);
});

test('one page at 11 h, one change an hour, observed from 7 to 16 h => (4² + 5²) / 2 ÷ 9 changes', () => {
  const page = { rate: 1 / 3600, visit: { at: 11 * HOUR } };
  expect(observedBlur([page], [7 * HOUR, 16 * HOUR])).toBeCloseTo((16 + 25) / 2 / 9);
  // A revisit that found it gone adds no version.
  const gone = { ...page, revisit: { at: 12 * HOUR, outcome: 'gone' } as const };
  expect(observedBlur([gone], [7 * HOUR, 16 * HOUR])).toBeCloseTo((16 + 25) / 2 / 9);
  const again = { ...page, revisit: { at: 12 * HOUR, outcome: 'same' } as const };
  expect(observedBlur([again], [7 * HOUR, 16 * HOUR])).toBeLessThan((16 + 25) / 2 / 9);
});
