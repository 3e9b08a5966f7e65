import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveCompleteness, CompletenessError, pageCompleteness } from './completeness.ts';

const P1 = {
  weight: 1,
  versions: [
    { time: 10, importance: 0.13 },
    { time: 30, importance: 0.5 },
  ],
  captures: [12, 20],
};
const P2 = {
  weight: 1,
  versions: [
    { time: 5, importance: 0.45 },
    { time: 25, importance: 0.1 },
  ],
  captures: [7],
};

test('Example 1 => P1 0.206, P2 0.818, archive 0.512', () => {
  const archive = archiveCompleteness([P1, P2]);
  expect(archive.pages[0]?.completeness).toBeCloseTo(0.206, 3);
  expect(archive.pages[1]?.completeness).toBeCloseTo(0.818, 3);
  expect(archive.perPage).toBeCloseTo(0.512, 3);
  expect(archive.pooled).toBeCloseTo((0.13 + 0.45) / (0.63 + 0.55), 12);
});

test('page importance weighs the mean => 3 to 1', () => {
  const archive = archiveCompleteness([
    { ...P1, weight: 0.75 },
    { ...P2, weight: 0.25 },
  ]);
  expect(archive.perPage).toBeCloseTo(0.75 * (0.13 / 0.63) + 0.25 * (0.45 / 0.55), 12);
});

test('no version, or none of any weight => undefined, and left out of the mean', () => {
  expect(pageCompleteness([], [1, 2]).completeness).toBeUndefined();
  expect(pageCompleteness([{ time: 1, importance: 0 }], [2]).completeness).toBeUndefined();
  const archive = archiveCompleteness([P1, { weight: 1, versions: [], captures: [3] }]);
  expect(archive.perPage).toBeCloseTo(0.13 / 0.63, 12);
  expect(archiveCompleteness([]).perPage).toBeUndefined();
});

test('a capture before the first version => nothing; at its very time => that version', () => {
  expect(pageCompleteness(P1.versions, [9.9]).captured).toBe(0);
  expect(pageCompleteness(P1.versions, [10]).captured).toBe(0.13);
  expect(pageCompleteness(P1.versions, [30]).captured).toBe(0.5);
});

test('importance outside [0, 1] is refused', () => {
  expect(() => pageCompleteness([{ time: 1, importance: 1.1 }], [])).toThrow(CompletenessError);
  expect(() => pageCompleteness([{ time: 1, importance: Number.NaN }], [])).toThrow(CompletenessError);
  expect(() => archiveCompleteness([{ ...P1, weight: -1 }])).toThrow(/importance of a page/);
});

test('more captures never lower it, order does not matter, all versions captured => 1', () => {
  const versions = fc.array(
    fc.record({
      time: fc.integer({ min: 0, max: 50 }),
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(versions, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }), (list, captures) => {
      const unique = list.filter((v, i) => list.findIndex((w) => w.time === v.time) === i);
      const few = pageCompleteness(unique, captures.slice(1));
      const more = pageCompleteness(unique, captures);
      expect(more.captured).toBeGreaterThanOrEqual(few.captured - 1e-12);
      expect(pageCompleteness(unique, [...captures].reverse()).captured).toBeCloseTo(more.captured, 12);
      const all = pageCompleteness(
        unique,
        unique.map((v) => v.time),
      );
      expect(all.captured).toBeCloseTo(all.appeared, 12);
    }),
  );
});
