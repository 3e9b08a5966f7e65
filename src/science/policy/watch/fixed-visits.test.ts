import { expect, it } from 'vitest';
import type { WatchedPage } from '../../../model/watch.ts';
import { refreshPolicy } from '../refresh/policies.ts';
import { forcedShortages } from './fixed-visits.ts';
import { keepState, resumeState } from './kept-state.ts';
import { observeVisit } from './observe-visit.ts';
import { outlookOf } from './outlook.ts';
import { plan } from './plan.ts';
import type { PlanSettings } from './plan-settings.ts';
import { newWatchState, type WatchState } from './watch-state.ts';

const HOUR = 3_600_000;
const URLS = Array.from({ length: 10 }, (_, k) => `https://a.example/p${k}`);
const pages = (every?: number): WatchedPage[] =>
  URLS.map((url) => ({
    ...{ url, site: 'a.example', weight: 1, lastVisit: 0, observations: 0, changes: 0 },
    ...(every !== undefined && { every }),
  }));
const made = (every: number | undefined, pace: number): WatchState =>
  newWatchState(pages(every), { now: 0, round: 1 / 6, pace });
const settings = (pace: number, more: Partial<PlanSettings> = {}): PlanSettings => ({
  budget: { requestsPerHour: pace },
  policy: refreshPolicy('expected-gain'),
  shares: { audit: 0 },
  ...more,
});
const [first = ''] = URLS;

it('10 pages every minute => 600 requests an hour: short of 60, of 700 not; a site of its own budget is named', () => {
  const state = made(60_000, 60);
  expect(forcedShortages(state, settings(60))).toEqual([{ wanted: 600, budget: 60 }]);
  expect(forcedShortages(state, settings(700))).toEqual([]);
  const siteBudgets = new Map([['a.example', 30]]);
  expect(forcedShortages(state, settings(700, { siteBudgets }))).toEqual([
    { site: 'a.example', wanted: 600, budget: 30 },
  ]);
});

it('a page that cannot be had every minute => expected when the budget reaches it; a budget of 0 => not at all', () => {
  const outlook = outlookOf(made(60_000, 60), first, settings(60));
  expect(outlook).toMatchObject({ shortage: { wanted: 600, budget: 60 }, nextVisit: 600_000 });
  expect(outlookOf(made(60_000, 0), first, settings(0))?.nextVisit).toBeUndefined();
});

it('a page that is gone => gone after a new start too, asked again when its pause is over', () => {
  const state = made(undefined, 60);
  plan(state, settings(60), { now: HOUR });
  const seen = { url: first, kind: 'refresh', at: HOUR, importance: 0, requests: 1, bytes: 0 } as const;
  observeVisit(state, { ...seen, outcome: 'gone', signals: [] });
  const again = newWatchState(pages(), { now: HOUR, round: 1 / 6, pace: 60 });
  resumeState(again, keepState(state));
  expect(outlookOf(again, first, settings(60))).toMatchObject({
    availability: 'gone',
    nextVisit: HOUR + HOUR / 3,
  });
  const asked = (now: number) => plan(again, settings(60), { now }).visits.find(({ url }) => url === first);
  expect(asked(1.2 * HOUR)).toBeUndefined();
  expect(asked(1.4 * HOUR)?.reason).toBe('gone: for 24 min now, asked whether it is back');
});
