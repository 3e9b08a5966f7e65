import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { parseHistory, type SiteEvents } from '../data/site-history.ts';
import { printed } from '../experiment/text-table.ts';
import { bypassAt, type CurvePoint, recallAt } from './skip-curves.ts';
import { skips } from './skips.ts';

const WEEK = 7 * 24 * 3600;

/** Thirty weeks; eight directories of five pages, each with its own rate: the first always changes, the last never. */
function site(seed: number): SiteEvents {
  const random = randomNumbers(seed);
  const rows: string[] = [];
  for (let d = 0; d < 8; d++)
    for (let p = 0; p < 5; p++) {
      rows.push(`d${d}/p${p}\tA\t0\t100\tfirst`);
      for (let week = 1; week < 30; week++)
        if (random() < (1 - d / 7) ** 2)
          rows.push(`d${d}/p${p}\tM\t${week * WEEK + 1}\t${100 + week}\tv${week}`);
    }
  return parseHistory(rows.join('\n'), 'site.tsv');
}

const point = (bypassRatio: number, changeRecall: number): CurvePoint => ({
  setting: '',
  bypassRatio,
  changeRecall,
  overallPrecision: 1,
  overallRecall: 1,
  changeRecallEq9: 1,
  weightRecall: 1,
  pooledRecall: 1,
  precision: 1,
  promised: 0,
});

describe('between the settings of a method', () => {
  const curve = [point(0.2, 0.95), point(0.1, 0.9), point(0.4, 0.85)];

  it('CR .90 between (.2, .95) and (.4, .85) => BR .3; a point that another betters in both counts for nothing', () => {
    expect(bypassAt(curve, 0.9)).toBeCloseTo(0.3, 9);
    expect(recallAt(curve, 0.3)).toBeCloseTo(0.9, 9);
    expect(recallAt(curve, 0.1)).toBeCloseTo(0.975, 9);
  });

  it('a recall no setting falls to, a share no setting leaves out => undefined', () => {
    expect([bypassAt(curve, 0.5), recallAt(curve, 0.5)]).toEqual([undefined, undefined]);
  });
});

describe('lab skips', () => {
  it('two sites => ours finds what the quiet rule finds and leaves out more, the oracle misses nothing', async () => {
    const histories = new Map([1, 2].map((seed) => [`site ${seed}`, site(seed)]));
    const outcome = await skips.run({ histories, windows: 4 });
    if (outcome.kind === 'skipped') throw new Error(outcome.reason);
    const mean = outcome.rows.filter((row) => row.site === 'mean');
    const of = (method: string): typeof mean => mean.filter((row) => row.method === method);
    expect(of('oracle')).toMatchObject([{ changeRecall: 1, overallPrecision: 1, overallRecall: 1 }]);
    const best = of('oracle')[0]?.bypassRatio as number;
    // No method that misses nothing can skip more than the oracle.
    for (const { changeRecall, bypassRatio } of mean)
      if (changeRecall === 1) expect(bypassRatio as number).toBeLessThanOrEqual(best);
    expect(of('ours').some(({ bypassRatio }) => (bypassRatio as number) > 0)).toBe(true);
    expect(printed(outcome.text)).toContain('Calibration');
  });

  it('one site => nothing to fit the model on, said so', async () => {
    const outcome = await skips.run({ histories: new Map([['one', site(1)]]), windows: 2 });
    expect(outcome).toMatchObject({ kind: 'skipped', reason: expect.stringContaining('two at least') });
  });
});
