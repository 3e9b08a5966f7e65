import { expect, it } from 'vitest';
import { nextChange } from './next-change.ts';

const hours = (of: (hour: number) => number) => [
  { label: '', values: Array.from({ length: 24 }, (_, hour) => of(hour)) },
];
const MIDNIGHT = Date.UTC(2026, 2, 2);

it('one change an hour => as likely as not after 42 minutes', () => {
  const next = nextChange({
    kind: 'daily',
    zone: 'UTC',
    periods: 24,
    rate: hours(() => 1),
    lastAt: MIDNIGHT,
  });
  expect(next?.at).toBeCloseTo(MIDNIGHT + Math.LN2 * 3_600_000, -2);
  expect([next?.row, next?.period]).toEqual([0, 0]);
});

it('changes at noon alone => in the hour after noon of the site, whatever its zone', () => {
  const next = nextChange({
    kind: 'daily',
    zone: 'America/New_York',
    periods: 24,
    rate: hours((hour) => (hour === 12 ? 2 : 0)),
    lastAt: MIDNIGHT,
  });
  expect(next?.period).toBe(12);
  expect(new Date(next?.at ?? 0).getUTCHours()).toBe(17);
});

it('a page that never changes => none', () => {
  expect(
    nextChange({ kind: 'daily', zone: 'UTC', periods: 24, rate: hours(() => 0), lastAt: MIDNIGHT }),
  ).toBeUndefined();
});
