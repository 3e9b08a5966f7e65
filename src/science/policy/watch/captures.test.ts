import { expect, test } from 'vitest';
import type { WatchedPage } from '../../../model/watch.ts';
import { refreshPolicy } from '../refresh/policies.ts';
import type { CapturedSite } from './captures.ts';
import { plan } from './plan.ts';
import { newWatchState } from './watch-state.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const page = (url: string, site: string, lastVisit?: number): WatchedPage => ({
  url,
  site,
  weight: 1,
  observations: 0,
  changes: 0,
  ...(lastVisit !== undefined && { lastVisit }),
});

function planned(pages: readonly WatchedPage[], sites: readonly CapturedSite[]) {
  const state = newWatchState(pages, { now: NOW - 3_600_000, round: 1, pace: 100 });
  const settings = { budget: { requestsPerHour: 100 }, policy: refreshPolicy('expected-gain') };
  const round = plan(state, settings, { now: NOW, sites, capturing: new Set(), between: false });
  return { round, balance: state.bank.balance };
}

const of = (site: string, more: Partial<CapturedSite> = {}): CapturedSite => ({
  site,
  pages: 3,
  revisits: 0,
  ...more,
});

test('a site that was never captured => at once, though nobody named a span', () => {
  const { round } = planned([page('https://a.org/', 'a.org')], [of('a.org')]);
  expect(round.captures.map(({ site, reason }) => [site, reason])).toEqual([
    ['a.org', 'capture: never captured whole'],
  ]);
});

test('a span that has passed => due; one that has not => not', () => {
  const pages = [page('https://a.org/', 'a.org', NOW - DAY), page('https://b.org/', 'b.org', NOW - DAY)];
  const { round } = planned(pages, [
    of('a.org', { every: 7 * DAY, lastCapture: NOW - 8 * DAY }),
    of('b.org', { every: 7 * DAY, lastCapture: NOW - 6 * DAY }),
  ]);
  expect(round.captures.map(({ site }) => site)).toEqual(['a.org']);
});

test('no span, and captured a moment ago => not again, though the budget would pay for it', () => {
  const { round } = planned(
    [page('https://a.org/', 'a.org', NOW - DAY)],
    [of('a.org', { lastCapture: NOW - 60_000 })],
  );
  expect(round.captures).toEqual([]);
});

test('pages of a site that is captured now => not visited beside it, and not paid', () => {
  const pages = [
    page('https://a.org/', 'a.org', NOW - DAY),
    page('https://a.org/1', 'a.org', NOW - DAY),
    page('https://b.org/', 'b.org', NOW - DAY),
  ];
  const due = of('a.org', { every: DAY, lastCapture: NOW - 2 * DAY });
  const { round, balance } = planned(pages, [due, of('b.org', { lastCapture: NOW - 60_000 })]);
  expect(round.visits.map(({ url }) => url)).toEqual(['https://b.org/']);
  expect(balance).toBe(100 - 3 - 1);
});
