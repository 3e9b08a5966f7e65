import { expect, it } from 'vitest';
import type { PlannedVisit, SeenVisit, WatchedPage } from '../../model/watch.ts';
import type { KeptWatch, WatchPorts } from './ports.ts';
import { openWatch } from './watch-loop.ts';

const HOUR = 3_600_000;
const SETTINGS = { budget: { requestsPerHour: 12 }, shares: { audit: 0 } };
const PAGES: readonly WatchedPage[] = Array.from({ length: 10 }, (_, k) => ({
  ...{ url: `https://a.example/p${k}`, site: 'a.example', weight: 1 },
  ...{ lastVisit: 0, observations: 0, changes: 0 },
}));

const seen = ({ url, kind }: PlannedVisit, at: number): SeenVisit => ({
  ...{ url, kind, at, outcome: 'unchanged', importance: 0, requests: 1, bytes: 10, signals: [] },
});

it('killed in a round that goes on elsewhere => the next one learns from what it came to, paid once', async () => {
  let now = 0;
  let kept: KeptWatch | undefined;
  let planned: readonly PlannedVisit[] = [];
  const ports: WatchPorts = {
    clock: { now: () => now, sleep: async () => {} },
    // As the archive was before the visits that nobody has learnt from.
    async *pages() {
      yield* PAGES;
    },
    sites: async () => [],
    visit: async (visits) => {
      planned = visits;
      throw new Error('killed');
    },
    capture: async () => {},
    heard: () => [],
    keep: async (watch) => {
      kept = structuredClone(watch);
    },
    kept: async () => kept,
  };
  now = HOUR;
  const first = await openWatch(ports, SETTINGS);
  await first.tick().catch(() => {});
  now += HOUR;
  await expect(first.tick()).rejects.toThrow('killed');
  expect(planned.length).toBeGreaterThan(5);

  const stop = new AbortController();
  const again = await openWatch(
    {
      ...ports,
      visit: async () => {},
      takeUp: async (told) => {
        for (const visit of planned.slice(0, 4)) told(seen(visit, now));
        told(seen(planned[4] as PlannedVisit, now), 'capture');
        stop.abort();
      },
    },
    SETTINGS,
  );
  const before = again.account();
  await again.run(stop.signal);
  expect(before.balance - again.account().balance).toBeCloseTo(5, 6);
  expect(again.account().requests).toMatchObject({ refresh: 4, capture: 1 });
  // In the moment that nothing of it may be forgotten any more.
  expect(kept?.state).toMatchObject({ account: { requests: { refresh: 4, capture: 1 } } });
});
