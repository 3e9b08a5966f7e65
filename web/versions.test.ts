import { expect, it } from 'vitest';
import { momentOf, nearest } from './versions.ts';

it('momentOf: a year, a day, a second, milliseconds, nothing', () => {
  expect(momentOf('2026')).toBe(Date.UTC(2026, 0, 1));
  expect(momentOf('20260302')).toBe(Date.UTC(2026, 2, 2));
  expect(momentOf('20260302101112')).toBe(Date.UTC(2026, 2, 2, 10, 11, 12));
  expect(momentOf('20260302101112345')).toBe(Date.UTC(2026, 2, 2, 10, 11, 12, 345));
  expect(momentOf('')).toBe(Number.POSITIVE_INFINITY);
});

it('nearest: between two, before all, the newest, of none', () => {
  expect(nearest([10, 20, 40], 29)).toBe(1);
  expect(nearest([10, 20, 40], 0)).toBe(0);
  expect(nearest([10, 20, 40], Number.POSITIVE_INFINITY)).toBe(2);
  expect(nearest([], 5)).toBe(-1);
});
