import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import type { Outcome } from '../experiment/experiment.ts';
import { PATTERNS_EXPERIMENTS } from './index.ts';
import { correlation, mean } from './statistics.ts';

const NEEDS_DATA = ['patterns-fig-8', 'patterns-fig-9', 'patterns-fig-10', 'patterns-fig-14'];
const quiet = { seed: 1, quick: true, progress: () => {} };

test('Fig. 8 to 14 are there, each with the statement of the paper', () => {
  expect(PATTERNS_EXPERIMENTS.map(({ figure }) => figure)).toEqual([
    'Fig. 8',
    'Fig. 9',
    'Fig. 10, Alg. 4',
    'Fig. 11',
    'Fig. 12',
    'Fig. 13',
    'Fig. 14',
  ]);
  for (const { statements } of PATTERNS_EXPERIMENTS) expect(statements.length).toBeGreaterThan(0);
});

describe('without data', () => {
  test.each(PATTERNS_EXPERIMENTS)(
    '$name => measured on invented pages, or skipped with a reason',
    async (each) => {
      const outcome = await each.run(quiet);
      expect(outcome.kind).toBe(NEEDS_DATA.includes(each.name) ? 'skipped' : 'measured');
      checkOutcome(outcome);
    },
  );
});

const data = sharedData('pages/german-news-2022.tsv.gz')?.replace(/\/pages\/[^/]+$/, '');

describe.skipIf(data === undefined)('with real pages (skipped where ../shared/data is absent)', () => {
  test.each(PATTERNS_EXPERIMENTS)('$name => rows, plots and findings without holes', async (each) => {
    const outcome = await each.run({ ...quiet, data });
    expect(outcome.kind).toBe('measured');
    checkOutcome(outcome);
  });
});

function checkOutcome(outcome: Outcome): void {
  if (outcome.kind === 'skipped') {
    expect(outcome.reason).toMatch(/--data/);
    return;
  }
  expect(outcome.rows.length).toBeGreaterThan(0);
  for (const { series } of outcome.plots) {
    for (const { points } of series) for (const { y } of points) expect(y).not.toBeNaN();
  }
  for (const { ours, holds } of outcome.findings) {
    expect(ours).not.toMatch(/NaN|undefined/);
    expect(holds).toMatch(/hold/);
  }
}

test('same seed => same rows; another => others', async () => {
  const [fig12] = PATTERNS_EXPERIMENTS.filter(({ figure }) => figure === 'Fig. 12');
  const rows = async (seed: number): Promise<unknown> => {
    const outcome = await fig12?.run({ ...quiet, seed });
    return outcome?.kind === 'measured' ? outcome.rows : undefined;
  };
  expect(await rows(3)).toEqual(await rows(3));
  expect(await rows(3)).not.toEqual(await rows(4));
});

test('correlation: of a line with itself 1, with its mirror −1, unknown places left out', () => {
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
  expect(correlation([1, Number.NaN, 2, 3], [1, 9, 2, 3])).toBeCloseTo(1, 12);
  expect(correlation([1, 1], [1, 2])).toBeNaN();
  expect(mean([])).toBeNaN();
});
