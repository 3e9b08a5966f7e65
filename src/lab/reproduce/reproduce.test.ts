import { describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { experiment, Skipped } from '../experiment/experiment.ts';
import { grade } from '../experiment/wording.ts';
import { EXPERIMENTS } from './index.ts';
import { siteHistories } from './site-histories.ts';

const OPTIONS = { seed: 1, quick: true, progress: () => undefined };
const data = sharedData('.');

test('names are for files and the command line, each once', () => {
  const names = EXPERIMENTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
});

test('SHARC 2009: Fig. 4, 6, 9, 10, 11, Table 4, the worst case and real histories are there', () => {
  expect(EXPERIMENTS.map(({ name }) => name).filter((name) => name.startsWith('sharc-'))).toEqual([
    'sharc-fig-4',
    'sharc-fig-10',
    'sharc-fig-11',
    'sharc-table-4',
    'sharc-fig-6',
    'sharc-worst-case',
    'sharc-rates',
    'sharc-fig-9',
    'sharc-real',
  ]);
});

describe.each(EXPERIMENTS.map((each) => [each.name, each] as const))('%s, quick', (_, each) => {
  test('without data => skipped with a reason, or rows of the same columns, plots and a finding per statement', async () => {
    const outcome = await each.run(OPTIONS);
    if (outcome.kind === 'skipped') {
      expect(outcome.reason).toMatch(/--data/);
      return;
    }
    const columns = Object.keys(outcome.rows[0] ?? {});
    expect(columns.length).toBeGreaterThan(0);
    for (const row of outcome.rows) expect(Object.keys(row)).toEqual(columns);
    expect(outcome.findings.map(({ statement }) => statement)).toEqual(each.statements);
    for (const { ours } of outcome.findings) expect(ours).not.toMatch(/NaN|undefined/);
    for (const { series } of outcome.plots) {
      expect(series.length).toBeGreaterThan(0);
      for (const { points } of series) for (const { y } of points) expect(Number.isFinite(y)).toBe(true);
    }
  });
});

test('the same seed => the same numbers; another => others', async () => {
  const table4 = EXPERIMENTS.find(({ name }) => name === 'sharc-table-4');
  expect(await table4?.run(OPTIONS)).toEqual(await table4?.run(OPTIONS));
  expect(await table4?.run({ ...OPTIONS, seed: 2 })).not.toEqual(await table4?.run(OPTIONS));
});

test('Example 6.1: 145 in the paper, 176 here => holds in part', async () => {
  const outcome = await EXPERIMENTS.find(({ name }) => name === 'sharc-worst-case')?.run(OPTIONS);
  expect(outcome).toMatchObject({
    kind: 'measured',
    findings: [{ holds: 'holds in part', ours: expect.stringContaining('+176') }, { holds: 'holds' }],
  });
});

describe.skipIf(data === undefined)('real histories (skipped where ../shared/data is absent)', () => {
  test('Fig. 9, quick => SHARC-revisits ahead of the others', async () => {
    const outcome = await EXPERIMENTS.find(({ name }) => name === 'sharc-fig-9')?.run({ ...OPTIONS, data });
    if (outcome?.kind !== 'measured') throw new Error('not measured');
    expect(outcome.findings.at(-1)).toMatchObject({ holds: 'holds' });
    // A single duration says nothing about growth.
    expect(outcome.findings[2]).toMatchObject({ holds: 'not measured' });
  });
});

test('a folder without histories => skipped, named', () => {
  const found = siteHistories('no-such-folder');
  expect(found).toBeInstanceOf(Skipped);
  expect(found).toMatchObject({ reason: expect.stringContaining("'no-such-folder'") });
});

test('an experiment that cannot run => skipped', async () => {
  const one = experiment<typeof OPTIONS, number>({
    name: 'x-y',
    title: 't',
    method: 'm',
    measure: () => new Skipped('no data'),
    rows: () => [],
  });
  expect(await one.run(OPTIONS)).toEqual({ kind: 'skipped', reason: 'no data' });
});

test.each([
  [[true, true], 'holds'],
  [[true, false], 'holds in part'],
  [[false], 'does not hold'],
  [[], 'not measured'],
])('%j => %s', (parts, expected) => {
  expect(grade(parts)).toBe(expected);
});
