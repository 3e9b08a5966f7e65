import { describe, expect, it } from 'vitest';
import { labPorts } from '../../archive/crawl/lab-ports.ts';
import type { Histories } from '../policies/histories.ts';
import { historyWeb } from './history-web.ts';
import { newspaperWeb } from './newspaper-web.ts';
import { optimumOf } from './optimum.ts';
import { measureWatch } from './report.ts';
import { isFront } from './rival-watch.ts';
import { runWatch } from './run-watch.ts';
import { breadthFirst } from './whole-captures.ts';

const HOUR = 3600;
/** Ten pages that change every k-th hour, for ten days. */
const histories: Histories = {
  start: 0,
  end: 240 * HOUR,
  zone: 'UTC',
  leftOut: 0,
  pages: Array.from({ length: 10 }, (_, k) => ({
    name: `s${k % 2}/p${k}`,
    weight: 1,
    training: [],
    versions: Array.from({ length: Math.floor(239 / (4 * k + 3)) }, (_v, i) => ({
      time: ((i + 1) * (4 * k + 3) - 0.5) * HOUR,
      importance: (i % 5) * 0.2 + 0.1,
    })),
  })),
};
const settings = (pace: number) => ({
  budget: { requestsPerHour: pace },
  round: HOUR * 1000,
  horizon: 240,
  shares: { audit: 0 },
});

describe('lab watch', () => {
  it('ten pages, budget of one request an hour => more than half, never beyond the optimum, nor the budget', async () => {
    const web = () => historyWeb(histories, { cold: true });
    const result = await runWatch(web(), settings(1));
    const limit = optimumOf(web(), 1);
    expect(result.perPage).toBeGreaterThan(0.4);
    expect(result.perPage).toBeLessThanOrEqual(limit.perPage);
    expect(result.requests.refresh).toBeLessThanOrEqual(240);
  });

  it('feeds that tell all, read at a hundredth of a visit => more than without; the same twice', async () => {
    const feeds = { recall: 1, noise: 0, cost: 0.01, of: 'site', seed: 1, every: 3_600_000 } as const;
    const run = () => runWatch(historyWeb(histories, { cold: true, feeds }), settings(0.5));
    const [told, again] = [await run(), await run()];
    const plain = await runWatch(historyWeb(histories, { cold: true }), settings(0.5));
    expect(told.perPage).toBeGreaterThan(1.1 * plain.perPage);
    expect(again).toEqual(told);
  });

  it('a small newspaper, two days => new articles are found; rivals and optimum beside, none above it', async () => {
    const start = Date.UTC(2026, 10, 2);
    const web = () => newspaperWeb({ seed: 1, start, days: 2, size: 'small', feeds: true });
    const { rows } = await measureWatch({
      webs: [{ name: 'small', web, settings: { ...settings(0), round: 900_000, horizon: 48 } }],
      budgets: [10],
      objective: 'per-page',
      rivals: true,
    });
    const of = (name: string) => rows.find(({ policy }) => policy === name)?.perPage ?? Number.NaN;
    expect(rows.map(({ policy }) => policy)).toEqual([
      ...['watch', 'round-robin', 'frequency', 'adaptive-interval'],
      ...['whole site weekly', 'front pages hourly', 'clairvoyant'],
    ]);
    for (const { perPage } of rows) expect(perPage).toBeLessThanOrEqual(of('clairvoyant'));
    expect(of('watch')).toBeGreaterThan(of('whole site weekly'));
    expect(rows[0]?.requests?.['discover']).toBeGreaterThan(3);
  });

  it.each([
    ['https://a.example/', true],
    ['https://a.example/sport/', true],
    ['https://a.example/sport/2026/x.html', false],
  ])('%s => front: %s', (url, front) => expect(isFront(url)).toBe(front));
});

it('a small newspaper captured whole every day beside the rounds => two captures, measured; breadth-first has fewer sharp pages or more blur', async () => {
  const start = Date.UTC(2026, 10, 2);
  const web = () => newspaperWeb({ seed: 1, start, days: 5, size: 'small', feeds: false });
  const captures = {
    every: 86_400_000,
    order: 'adaptive-organ-pipe',
    revisit: 'sharp',
    ports: labPorts,
  } as const;
  const asked = { ...settings(10), round: 900_000, horizon: 120 };
  const ours = await runWatch(web(), asked, captures);
  const theirs = await runWatch(web(), asked, breadthFirst(captures));
  expect(ours.captures).toHaveLength(2);
  expect(ours.requests.capture).toBeGreaterThan(150);
  const total = ({ captures: made }: typeof ours, of: 'blurTrue' | 'sharpTrue') =>
    made.reduce((sum, one) => sum + one[of], 0);
  expect(
    total(ours, 'sharpTrue') > total(theirs, 'sharpTrue') ||
      total(ours, 'blurTrue') < total(theirs, 'blurTrue'),
  ).toBe(true);
  expect((await runWatch(web(), asked)).captures).toEqual([]);
});
