import { describe, expect, test } from 'vitest';
import { REFRESH_POLICY_NAMES } from '../../science/policy/refresh/policies.ts';
import { printed } from '../experiment/text-table.ts';
import { comparePolicies } from './experiment.ts';
import { policies, policiesReport } from './report.ts';
import { syntheticHistories } from './synthetic.ts';
import { spanOf, timeWindows } from './time-window.ts';

const histories = syntheticHistories({ seed: 2, pages: 30, train: 5, test: 2 });

describe('lab policies', () => {
  const report = policiesReport(comparePolicies(histories, { budgets: [10, 40], rounds: 30 }));

  test('every policy => completeness by budget, its share of the optimum, an interval around it', () => {
    expect(Object.keys(report.policies)).toEqual(REFRESH_POLICY_NAMES);
    for (const [name, values] of Object.entries(report.policies)) {
      expect(values).toHaveLength(2);
      values.forEach((value, i) => {
        expect(report.ratios[name]?.[i]).toBeCloseTo(value / (report.clairvoyant[i] as number), 12);
        const [low, high] = report.intervals[name]?.[i] ?? [1, 0];
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
      });
    }
    expect(report.other.measure).toBe('pooled');
  });

  test('ours against the best rival => the ratio of the two, both measured', () => {
    for (const [name, list] of Object.entries(report.against)) {
      list.forEach(({ rival, ratio, low, high }, i) => {
        const [own, other] = [report.policies[name]?.[i], report.policies[rival]?.[i]] as [number, number];
        expect(ratio).toBeCloseTo(own / other, 9);
        expect(low).toBeLessThanOrEqual(high);
      });
    }
  });

  test('objective pooled => the pooled measure stands first; the same seed, the same report', () => {
    const run = () =>
      policiesReport(
        comparePolicies(histories, {
          budgets: [20],
          objective: 'pooled',
          policies: ['round-robin', 'expected-gain'],
          rounds: 20,
          seed: 'x',
        }),
      );
    const pooled = run();
    expect(pooled.other.measure).toBe('per-page');
    expect(run()).toEqual(pooled);
  });

  test('budget 0 => completeness 0, no share of an optimum of 0', () => {
    const none = policiesReport(
      comparePolicies(histories, { budgets: [0], policies: ['round-robin'], rounds: 0 }),
    );
    expect(none).toMatchObject({
      policies: { 'round-robin': [0] },
      ratios: { 'round-robin': [null] },
      against: {},
    });
  });

  test('shown => the measure, the optimum and the best rival; a figure for each measure', async () => {
    const windows = { train: 5, test: 2 };
    const shown = await policies.run({ histories, windows, budgets: [0, 10], rounds: 10 });
    if (shown.kind === 'skipped') throw new Error(shown.reason);
    const text = printed(shown.text);
    expect(text).toMatch(
      /^5 days of training[\s\S]*per-page[\s\S]*clairvoyant[\s\S]*pooled[\s\S]*best rival/,
    );
    expect(text).toMatch(/round-robin\s+0\.000 /);
    expect(shown.plots.map(({ file }) => file)).toEqual([
      'policies-per-page-measured-per-page',
      'policies-per-page-measured-pooled',
    ]);
  });
});

test.each([
  [10, {}, { train: 5, test: 5 }],
  [400, {}, { train: 60, test: 60 }],
  [7, {}, { train: 3, test: 4 }],
  [0.5, {}, { train: 0.25, test: 0.25 }],
  [10, { train: 4 }, { train: 4, test: 6 }],
  [10, { test: 4 }, { train: 6, test: 4 }],
  [10, { train: 0, test: 2 }, { train: 0, test: 2 }],
  [3, { train: 5 }, { train: 5, test: 0 }],
])('%d days, given %j => %j', (days, given, expected) => {
  expect(timeWindows(days * 86_400, given)).toEqual(expected);
});

test('times 100 and 3700 => two hours; no times => 0', () => {
  expect(spanOf(new Map([['a', [{ time: 3700 }, { time: 100 }]]]))).toBe(7200);
  expect(spanOf(new Map())).toBe(0);
});
