import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { refreshPolicy } from '../../science/policy/refresh/policies.ts';
import { archiveCompleteness } from '../../science/quality/completeness.ts';
import { parseObservations, readTable } from '../data/page-tables.ts';
import { type ComparisonResult, comparePolicies, meanAndSpread } from './experiment.ts';
import { historiesFromChanges, historiesFromObservations } from './histories.ts';
import { coldKnowledge, learnedKnowledge } from './knowledge.ts';
import { clairvoyantLimit } from './limit.ts';
import { simulate, visitsAt } from './simulate.ts';
import { syntheticHistories } from './synthetic.ts';

const small = syntheticHistories({ seed: 5, pages: 60, train: 10, test: 4 });

test('same seed => same pages; another => others', () => {
  const again = syntheticHistories({ seed: 5, pages: 60, train: 10, test: 4 });
  expect(again.pages[7]).toEqual(small.pages[7]);
  const other = syntheticHistories({ seed: 6, pages: 60, train: 10, test: 4 });
  expect(other.pages[7]?.versions).not.toEqual(small.pages[7]?.versions);
});

test('2% of 133 pages => 2 or 3 visits a period, 2.66 in the mean', () => {
  const visits = Array.from({ length: 100 }, (_, period) => visitsAt(period + 1, 133, 0.02));
  expect(new Set(visits)).toEqual(new Set([2, 3]));
  expect(visits.reduce((a, b) => a + b, 0)).toBe(266);
});

test('a simulated run => the completeness of its captures by Def. 3 and 4', () => {
  const { state } = learnedKnowledge(small).begin({ budget: 0.2 });
  const captures = small.pages.map((): number[] => []);
  const result = simulate(small, state, refreshPolicy('round-robin'), {
    budget: 0.2,
    onVisit: ({ page, to }) => captures[page]?.push(to),
  });
  const direct = archiveCompleteness(
    small.pages.map(({ weight, versions }, index) => ({ weight, versions, captures: captures[index] ?? [] })),
  );
  expect(result.perPage).toBeCloseTo(direct.perPage ?? Number.NaN, 10);
  expect(result.pooled).toBeCloseTo(direct.pooled ?? Number.NaN, 10);
});

test('no policy beats the clairvoyant limit; budget 0 => 0; a budget above all pages => the limit', () => {
  const budgets = [0, 10, 40, 250];
  const result = comparePolicies(small, { budgets, rounds: 50 });
  for (const { perPage, pooled, visits } of Object.values(result.policies)) {
    budgets.forEach((_, index) => {
      expect(perPage[index]).toBeLessThanOrEqual((result.clairvoyant.perPage[index] as number) + 1e-9);
      expect(pooled[index]).toBeLessThanOrEqual((result.clairvoyant.pooled[index] as number) + 1e-9);
    });
    expect(perPage[0]).toBe(0);
    expect(perPage[3]).toBeCloseTo(result.clairvoyant.perPage[3] as number, 9);
    expect(visits[3]).toBe(small.pages.length * 96);
  }
});

test('banked => no policy beats the limit with a bank, which is not below the one without; none spends more than earned', () => {
  const budgets = [0, 10, 40, 250];
  const plain = comparePolicies(small, { budgets, rounds: 0, policies: ['round-robin'] });
  for (const cold of [false, true]) {
    const result = comparePolicies(small, { budgets, rounds: 0, bank: true, cold });
    budgets.forEach((budget, index) => {
      const limit = result.clairvoyant.perPage[index] as number;
      expect(limit).toBeGreaterThanOrEqual((plain.clairvoyant.perPage[index] as number) - 1e-9);
      for (const { perPage, visits } of Object.values(result.policies)) {
        expect(perPage[index]).toBeLessThanOrEqual(limit + 1e-9);
        expect(visits[index]).toBeLessThanOrEqual(Math.min(1, budget / 100) * small.pages.length * 96 + 1e-9);
      }
    });
    expect(result.policies['round-robin']?.perPage).toEqual(plain.policies['round-robin']?.perPage);
    // The bank moves visits from quiet hours to busy ones, so the budget buys more.
    expect(limitGain(result, plain)).toBeGreaterThan(0);
  }
});

const limitGain = (banked: ComparisonResult, plain: ComparisonResult): number =>
  (banked.clairvoyant.perPage[1] as number) - (plain.clairvoyant.perPage[1] as number);

test('a cold start => every page is visited, none is lost from the measure', () => {
  const { state, ...on } = coldKnowledge(small).begin({ budget: 0.2 });
  const result = simulate(small, state, refreshPolicy('expected-gain'), { budget: 0.2, ...on });
  expect(Math.min(...state.sweeps)).toBeGreaterThan(0);
  expect(result.perPage).toBeGreaterThan(0.1);
});

test('changes alone => the same versions; training is what hourly visits would have seen', () => {
  const day = 86_400;
  const changes = new Map([
    [
      'a',
      [
        { time: 0, importance: 1 },
        { time: 5400, importance: 0.5 },
        { time: day + 60, importance: 0.25 },
      ],
    ],
    ['b', [{ time: 3600, importance: 1 }]],
  ]);
  const histories = historiesFromChanges(changes, { train: 1, test: 1 });
  expect(histories.pages.map(({ name }) => name)).toEqual(['a']);
  expect(histories.leftOut).toBe(1);
  expect(histories.pages[0]?.versions).toEqual([{ time: day + 60, importance: 0.25 }]);
  expect(histories.pages[0]?.training[1]).toEqual({ from: 3600, to: 7200, changed: true, importance: 0.5 });
});

test('mean and spread of two runs', () => {
  expect(
    meanAndSpread([
      [1, 2],
      [3, 2],
    ]),
  ).toEqual({ mean: [2, 2], spread: [Math.SQRT2, 0] });
});

const news = sharedData('pages/german-news-2022.tsv.gz');

describe.skipIf(!news)('German news of 2022 (skipped where ../shared/data is absent)', () => {
  test('20 pages, 20 days: expected-gain is not below round-robin at 10%, nothing is above the limit', () => {
    const table = parseObservations(readTable(news as string), 'german-news-2022.tsv.gz');
    let count = 0;
    const histories = historiesFromObservations(table.pages, {
      train: 20,
      test: 10,
      zone: 'Europe/Berlin',
      keep: () => count++ % 7 === 0,
    });
    const result = comparePolicies(histories, {
      budgets: [10],
      policies: ['round-robin', 'expected-gain'],
      rounds: 100,
    });
    const [gain] = result.policies['expected-gain']?.perPage ?? [];
    expect(gain).toBeGreaterThan(result.policies['round-robin']?.perPage[0] ?? Infinity);
    expect(gain).toBeLessThan(clairvoyantLimit(histories, 'per-page', { budget: 0.1 }));
    expect(result.against['expected-gain']?.[0]?.rival).toBe('round-robin');
  });
});
