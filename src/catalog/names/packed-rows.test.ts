import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packRows, unpackRows } from './packed-rows.ts';

it('any rows of one shape => the same rows', () => {
  const row = fc.record({
    id: fc.maxSafeInteger(),
    rank: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
    reason: fc.string(),
    via: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      expect(unpackRows(packRows(rows))).toEqual(rows);
    }),
  );
});

it('1,000 rows that are much alike => a few bytes each', () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    id: 5_000 + i,
    at: 1_794_865_032_000 + 7 * i,
    reason: `waits for slot ${i} of about 1000`,
  }));
  expect(packRows(rows).byteLength).toBeLessThan(10_000);
});
