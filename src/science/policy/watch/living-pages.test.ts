import { describe, expect, it } from 'vitest';
import type { SeenVisit, WatchedPage } from '../../../model/watch.ts';
import { refreshPolicy } from '../refresh/policies.ts';
import { firstWorth, youngWorth } from '../refresh/young-pages.ts';
import { GROWN_UP } from './ages.ts';
import { keepState, resumeState } from './kept-state.ts';
import { observeVisit } from './observe-visit.ts';
import { plan } from './plan.ts';
import { newWatchState, type WatchState } from './watch-state.ts';

const HOUR = 3_600_000;
const page = (name: string, more: Partial<WatchedPage> = {}): WatchedPage => ({
  url: `https://a.example/${name}`,
  site: 'a.example',
  weight: 1,
  lastVisit: 0,
  observations: 1,
  changes: 0,
  ...more,
});
const found = (name: string): WatchedPage => {
  const { lastVisit: _, ...rest } = page(name, { observations: 0 });
  return rest;
};
const settings = (pace: number) => ({
  budget: { requestsPerHour: pace },
  policy: refreshPolicy('expected-gain'),
  shares: { audit: 0 },
});
/** Hourly rounds; what the front page shows is found by any visit that reads it. */
function run(state: WatchState, pace: number, hours: number, shows: (hour: number) => string[]): string[] {
  const log: string[] = [];
  for (let hour = 1; hour <= hours; hour++) {
    const now = hour * HOUR;
    for (const { url, kind } of plan(state, settings(pace), { now }).visits) {
      const name = url.slice('https://a.example/'.length);
      log.push(name);
      const discovered = name === '' ? shows(hour).map(found) : [];
      const seen: SeenVisit = {
        ...{ url, kind, at: now, outcome: 'unchanged', importance: 0, requests: 1, bytes: 0, signals: [] },
        ...(discovered.length > 0 && { discovered }),
      };
      observeVisit(state, seen);
    }
  }
  return log;
}
const old = Array.from({ length: 40 }, (_, k) => page(`old/${k}.html`));
const made = (pages: readonly WatchedPage[], pace: number, now = 0) =>
  newWatchState(pages, { now, round: 1, pace, horizon: 336 });
const times = (log: readonly string[], name: string): number => log.filter((one) => one === name).length;

describe('pages that show others, grow older, or are like their kin', () => {
  it('two front pages that never change, one shows a new article every two hours => it is read far more often', () => {
    const log = run(made([page(''), page('b/'), ...old], 1), 1, 240, (hour) => [`news/${hour >> 1}.html`]);
    expect(times(log, '')).toBeGreaterThan(1.5 * times(log, 'b/'));
    expect(log.filter((name) => name.startsWith('news/')).length).toBeGreaterThan(20);
  });

  it('forty pages of a quiet directory => those that were never visited have the rate of the others, and need no survey', () => {
    const state = made(old, 2);
    run(state, 2, 9, () => []);
    const never = state.book.numberOf(old[39]?.url as string) as number;
    expect(state.refresh.visits[never]).toBe(0);
    expect(state.refresh.rate[never]).toBeLessThan(0.05);
    expect(state.refresh.borrowed[never]).toBe(1);
  });

  it('a page that was found => its rate falls as it ages, then is its own; kept and resumed, it is as old as it was', () => {
    const state = made([page(''), ...old], 4);
    run(state, 4, 30, (hour) => (hour < 25 ? [`news/${hour}.html`] : []));
    const [number, birth] = [...state.births][0] as [number, number];
    const { url } = state.book.page(number);
    const young = state.refresh.rate[number] as number;
    const again = made([page(''), ...old, page(url.slice('https://a.example/'.length))], 4, 30 * HOUR);
    resumeState(again, keepState(state));
    expect(again.births.get(again.book.numberOf(url) as number)).toBe(birth);
    plan(state, settings(4), { now: 200 * HOUR });
    expect(state.refresh.rate[number]).toBeLessThan(young / 2);
    const before = state.refresh.rate[number] as number;
    plan(state, settings(4), { now: birth * 1000 + (GROWN_UP + 1) * HOUR });
    expect(state.births.has(number)).toBe(false);
    expect(state.refresh.rate[number]).toBeCloseTo(before, 6);
  });

  it.each([
    ['never changes again', 0, 0.2, 1],
    ['4 later versions of importance 0.25', 4, 0.25, 0.5],
  ])('a page that %s => its first version is %#', (_, versions, importance, worth) => {
    expect(firstWorth(versions, importance)).toBeCloseTo(worth, 12);
    expect(youngWorth(versions, importance)).toBeLessThanOrEqual(firstWorth(versions, importance));
  });
});
