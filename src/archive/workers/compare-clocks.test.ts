import { expect, it } from 'vitest';
import { clockFault } from './compare-clocks.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

it.each([
  [0, 0, 0],
  [29_000, 0, 0],
  [-29_000, 0, 0],
  // The database was away while it was asked: whatever lies between is right.
  [200_000, 0, 300_000],
])('the database says %i ms, we %i to %i => well', (database, before, after) => {
  const reading = { database: NOON + database, before: NOON + before, after: NOON + after };
  expect(clockFault(reading)).toBeUndefined();
});

it('more than half a minute apart => both clocks are named, and by how much', () => {
  const ahead = clockFault({ database: NOON, before: NOON + 300_000, after: NOON + 300_100 });
  expect(ahead?.message).toContain(
    'says 2026-01-01T12:05:00.000Z, and that of the database 2026-01-01T12:00:00.000Z',
  );
  expect(ahead?.message).toContain('dated 5 min late');
  const behind = clockFault({ database: NOON, before: NOON - 45_100, after: NOON - 45_000 });
  expect(behind?.message).toContain('dated 45 s early');
});
