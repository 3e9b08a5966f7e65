import { expect, test } from 'vitest';
import { BadRowError, parseCaptures, parseChanges, parseObservations, parseWeights } from './page-tables.ts';

test('observations with a header => rows by page', () => {
  const table = parseObservations(
    'page\ttime\tchanged\timportance\na\t10\t1\t0.5\nb\t11\t0\t0\na\t12\t0\t0\n',
    'o.tsv',
  );
  expect(table.pages.get('a')).toEqual([
    { time: 10, changed: true, importance: 0.5 },
    { time: 12, changed: false, importance: 0 },
  ]);
  expect(table.skipped).toBe(0);
});

test('changes without importance => 1', () => {
  expect(parseChanges('a\t10\nb\t11\t0.25', 'c.tsv').pages.get('a')).toEqual([{ time: 10, importance: 1 }]);
});

test('a page named "page" with a time is a row, not a header', () => {
  expect(parseCaptures('page\t10\n', 'c.tsv').pages.get('page')).toEqual([10]);
});

test.each([
  ['a\t10\t2\t0.1', "line 1: changed must be 0 or 1, not '2'"],
  ['a\tten\t1\t0.1', "line 1: time must be Unix seconds, not 'ten'"],
  ['a\t1\t0\t0\na\t10\t1\t1.5', "line 2: importance must be in [0, 1], not '1.5'"],
  ['a\t10\t1', 'line 1: 4 columns are needed, not 3'],
  ['\t10\t1\t0', 'line 1: no page'],
])('%j => refused with file, line and reason', (text, reason) => {
  expect(() => parseObservations(text, 'bad.tsv')).toThrow(`bad.tsv, ${reason}`);
  expect(() => parseObservations(text, 'bad.tsv')).toThrow(BadRowError);
});

test('skipBad => bad rows counted, the first reason kept', () => {
  const table = parseObservations('a\t1\t1\t0.5\na\tx\t1\t0\na\t2\t9\t0', 'o.tsv', { skipBad: true });
  expect(table.pages.get('a')).toHaveLength(1);
  expect(table.skipped).toBe(2);
  expect(table.firstBad).toMatch(/o\.tsv, line 2/);
});

test('weights => the last row of a page counts', () => {
  expect(parseWeights('page\timportance\na\t0.5\na\t0.7\n', 'w.tsv').weights.get('a')).toBe(0.7);
});
