import { expect, it } from 'vitest';
import { decodeSums, encodeSums } from './stored-sums.ts';

const SUMS = {
  changes: [0, 0, 0, 0],
  hours: [0, 0.006926107295049642, 0, 3],
  seen: [0, 1, 0, 0],
  weight: [0, 0.25, 0, 0],
  until: 1794865029.577,
};

it('sums => the same sums, in less than half of their JSON where a page never changed', () => {
  expect(decodeSums(encodeSums(SUMS))).toEqual(SUMS);
  const { until: _, ...open } = SUMS;
  expect(decodeSums(encodeSums({ ...open, shape: [1, 1, 0, 2] }))).toEqual({ ...open, shape: [1, 1, 0, 2] });
  const zeros = new Array<number>(24).fill(0);
  const never = { changes: zeros, hours: zeros.with(21, 0.25), seen: zeros, weight: zeros };
  expect(encodeSums(never).length * 2).toBeLessThan(JSON.stringify(never).length);
});
