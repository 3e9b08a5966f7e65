import { expect, test } from 'vitest';
import type { PagePattern, PageSighting } from '../../model/pattern.ts';
import { type LiveCatalog, siteCompleteness } from './live-completeness.ts';

const HOUR = 3_600_000;
const none = new Array<number>(24).fill(0);
const flat = { changes: none, hours: none, seen: none, weight: none };

/** Learnt when all pages had been seen for the last time at hour 1. */
const pattern = (url: string): PagePattern => ({
  ...{ url, kind: 'daily', observations: 2, changes: 1, firstAt: 0, lastAt: HOUR, lastSha256: 'b' },
  ...{ sums: flat, group: 0, threshold: 0 },
});

function catalog(seen: Readonly<Record<string, readonly PageSighting[]>>): LiveCatalog {
  return {
    pagePatterns: async function* () {
      yield* Object.keys(seen).map(pattern);
    },
    patternGroups: async () => [],
    learntSite: async () => undefined,
    sightings: async (urls) => urls.map((url) => ({ url, mark: 0, sightings: seen[url] ?? [] })),
    importances: async function* () {},
  };
}

const every = (hours: readonly number[]): PageSighting[] =>
  hours.map((hour) => ({ at: hour * HOUR, state: 'there', sha256: String(hour), importance: 0.5 }));

test('patterns older than most visits => freshness counts from the last visits, not from what was learnt', async () => {
  const often = every(Array.from({ length: 40 }, (_, hour) => hour));
  const left = every([0, 1]);
  const found = await siteCompleteness('x.org', catalog({ a: often, b: left, c: left, d: left }));
  expect(found?.lastAt).toBe(39 * HOUR);
  expect(found?.freshness?.mean).toBeLessThan(0.6);
});
