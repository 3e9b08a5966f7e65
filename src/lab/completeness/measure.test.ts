import { expect, test } from 'vitest';
import { parseCaptures, parseChanges, parseWeights } from '../data/page-tables.ts';
import { printed } from '../experiment/text-table.ts';
import { completeness, measureCompleteness } from './measure.ts';

const changes = parseChanges('P1\t100\t0.13\nP1\t500\t0.5\nP2\t100\t0.45\nP2\t500\t0.1\n', 'c.tsv').pages;
const captures = parseCaptures('P1\t200\nP1\t400\nP2\t300\n', 'k.tsv').pages;

test('Example 1 of the paper => P1 0.206, P2 0.818, archive 0.512', async () => {
  const report = measureCompleteness({ changes, captures });
  expect(report.pages.P1).toBeCloseTo(0.206, 3);
  expect(report.pages.P2).toBeCloseTo(0.818, 3);
  expect(report.archive).toBeCloseTo(0.512, 3);
  expect(report.pooled).toBeCloseTo(0.58 / 1.18, 6);
  const outcome = await completeness.run({ changes, captures });
  expect(outcome.kind === 'measured' && printed(outcome.text)).toMatch(/archive, per page\s+0\.512/);
});

test('P2 half as important => (0.206 + 0.5 · 0.818) / 1.5', () => {
  const { weights } = parseWeights('P2\t0.5\n', 'w.tsv');
  expect(measureCompleteness({ changes, captures, weights }).archive).toBeCloseTo(0.4101, 3);
});

test('rows out of order, twice the same capture => the same', () => {
  const shuffled = parseChanges('P2\t500\t0.1\nP1\t500\t0.5\nP2\t100\t0.45\nP1\t100\t0.13\n', 'c.tsv').pages;
  const twice = parseCaptures('P2\t300\nP1\t400\nP1\t200\nP1\t200\n', 'k.tsv').pages;
  const report = measureCompleteness({ changes: shuffled, captures: twice });
  expect(report.archive).toBeCloseTo(0.512, 3);
});

test('a page without weight, one never captured, one only captured => null, 0, named', () => {
  const report = measureCompleteness({
    changes: parseChanges('still\t1\t0\nmissed\t1\t0.5\n', 'c.tsv').pages,
    captures: parseCaptures('still\t2\nunknown\t2\n', 'k.tsv').pages,
  });
  expect(report.pages).toEqual({ still: null, missed: 0 });
  expect(report.captureOnly).toEqual(['unknown']);
  expect(report.archive).toBe(0);
});

test('nothing at all => null', () => {
  expect(measureCompleteness({ changes: new Map(), captures: new Map() })).toEqual({
    archive: null,
    pooled: null,
    pages: {},
    captureOnly: [],
  });
});
