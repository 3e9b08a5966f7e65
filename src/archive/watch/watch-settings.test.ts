import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../given/config-file.ts';
import { dueAfter, WATCH_SETTINGS, watchConfig } from './watch-settings.ts';

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

async function read(text: string) {
  folder ??= await mkdtemp(join(tmpdir(), 'watch-'));
  const file = join(folder, 'w.yaml');
  await writeFile(file, text);
  return watchConfig(await readConfig(file, WATCH_SETTINGS), file);
}

const HOUR = 3_600_000;

test('the example of the documentation => budget, spans, and settings of each site above the defaults', async () => {
  const { budget, sites, shares } = await read(`
budget: { requestsPerHour: 600, bytesPerDay: 5GB, storage: 200GB }
defaults: { render: never, delay: 2s, timezone: Europe/Paris }
sites:
  - url: https://example.org/
    capture: weekly
    pages: { every: 1h, of: ['/', '/news/'] }
  - url: https://example.com/
    delay: 500ms
    capture: '0 6 * * 1'
    only: 22:00-06:00
shares: { discovery: 10% }
`);
  expect(budget).toEqual({ requestsPerHour: 600, bytesPerDay: 5e9, storage: 200e9 });
  expect(shares).toEqual({ discovery: 0.1 });
  expect(sites.map(({ spec }) => [spec.politeness.delay, spec.render, spec.scope.type])).toEqual([
    [2000, 'never', 'host'],
    [500, 'never', 'host'],
  ]);
  expect(sites[0]).toMatchObject({
    capture: { kind: 'span', span: 7 * 24 * HOUR },
    forced: { every: { kind: 'span', span: HOUR }, of: ['/', '/news/'] },
    zone: 'Europe/Paris',
  });
  expect(sites[1]).toMatchObject({ only: { from: 1320, to: 360 }, capture: { kind: 'cron' } });
});

test('a cron expression => the next such time in the zone of the site', () => {
  const monday = Date.parse('2026-11-16T12:00:00Z');
  const due = dueAfter(monday, { kind: 'cron', expression: '0 6 * * 1' }, 'Europe/Paris');
  expect(new Date(due).toISOString()).toBe('2026-11-23T05:00:00.000Z');
});

test.each([
  ['budget: {}\nsites: [{ url: https://e.org/ }]', /w\.yaml:1: budget\.requestsPerHour/],
  ['budget: { requestsPerHour: 6 }\nsites: []', /w\.yaml:2: sites: at least one site/],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    capturing: weekly',
    /:4: sites\.0\.capturing: unknown; a site takes: url, capture/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    capture: sometimes',
    /:4: sites\.0\.capture: .*auto, never, or how often/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    only: night',
    /:4: sites\.0\.only: 'night' is no span of hours/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    pages: { every: 99 99 * * *, of: [/] }',
    /sites\.0\.pages\.every/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    feeds: [feed.xml]',
    /:4: sites\.0\.feeds\.0: 'feed\.xml' is no address/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites:\n  - url: https://e.org/\n    pages: { every: 1h, of: [news] }',
    /:4: sites\.0\.pages\.of\.0: 'news' is no path/,
  ],
  [
    'budget: { requestsPerHour: 6 }\nsites: [{ url: https://e.org/ }]\nshares: { discovery: 70%, audit: 60% }',
    /:3: shares: the shares are more than all/,
  ],
  ['budgets: 1', /budgets: unknown; accepted: budget, defaults, sites/],
])('%j => a complaint with line and what is accepted', async (text, complaint) => {
  await expect(read(text)).rejects.toThrow(complaint);
});
