import { expect, it } from 'vitest';
import { dayCounts, knownZone } from './day-counts.ts';

const quarterOf = (iso: string): number => Date.parse(iso) / 900_000;

it('a quarter before and one after midnight in Berlin => two days there, one in UTC; counts are summed, the most salient kept', () => {
  const quarters = [
    { quarter: quarterOf('2026-03-01T22:45Z'), captures: 2, changes: 1, salience: 0.2 },
    { quarter: quarterOf('2026-03-01T23:00Z'), captures: 3, changes: 0 },
    { quarter: quarterOf('2026-03-01T23:15Z'), captures: 0, changes: 2, salience: 0.5 },
  ];
  expect(dayCounts(quarters, knownZone('Europe/Berlin') ?? (() => 0))).toEqual([
    { date: '2026-03-01', at: Date.parse('2026-03-01T22:45Z'), captures: 2, changes: 1, salience: 0.2 },
    { date: '2026-03-02', at: Date.parse('2026-03-01T23:00Z'), captures: 3, changes: 2, salience: 0.5 },
  ]);
  expect(dayCounts(quarters, () => 0)).toEqual([
    { date: '2026-03-01', at: Date.parse('2026-03-01T22:45Z'), captures: 5, changes: 3, salience: 0.5 },
  ]);
});

it('a zone that is none => undefined', () => {
  expect(knownZone('Mars/Olympus')).toBeUndefined();
});
