import { expect, test } from 'vitest';
import { HOSTS_AS_SITES } from '../../model/site-bounds.ts';
import { CapturePace } from './capture-pace.ts';
import { liveSites } from './live-site.ts';
import { watchConfig } from './watch-settings.ts';

const sites = [{ url: 'https://example.org/', delay: '1s' }];
const [site] = liveSites(watchConfig({ budget: { requestsPerHour: 60 }, sites }), HOSTS_AS_SITES);
if (!site) throw new Error('no site');

test.each([
  [36_000, 1, 1000],
  [450, 1, 10_000],
  [450, 3, 30_000],
  [0, 1, 3_600_000],
])('%i requests an hour, %i for a visit => a pause of %i ms', (budget, requests, delay) => {
  const pace = new CapturePace(budget);
  pace.taken(site.name, requests);
  expect(pace.of(site).politeness.delay).toBe(delay);
});
