import { describe, expect, it } from 'vitest';
import { DAY } from './days.ts';
import { openTruth } from './truth.ts';
import { createNewspaper } from './world.ts';

const START = Date.UTC(2026, 10, 18, 6);
const world = createNewspaper({ seed: 4, start: START, size: 'small' });
const truth = openTruth(world);
const rows = (tsv: string): string[][] =>
  tsv
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

describe('openTruth', () => {
  it('changes as TSV => page, unix seconds within the span, importance in (0, 1]', () => {
    const table = rows(truth.changesTsv(START, START + DAY));
    expect(table.length).toBeGreaterThan(100);
    for (const [page = '', at, importance] of table) {
      expect(page.startsWith('/')).toBe(true);
      expect(Number(at) * 1000).toBeGreaterThan(START);
      expect(Number(at) * 1000).toBeLessThanOrEqual(START + DAY);
      expect(Number(importance)).toBeGreaterThan(0);
      expect(Number(importance)).toBeLessThanOrEqual(1);
    }
  });

  it('history as TSV => A first, then M with a new digest each time', () => {
    const seen = new Map<string, string>();
    for (const [path = '', kind, , size, digest = ''] of rows(truth.historyTsv(START, START + DAY))) {
      if (kind === 'D') continue;
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(Number(size)).toBeGreaterThan(500);
      expect(digest).not.toBe(seen.get(path));
      if (kind === 'A') expect(seen.has(path)).toBe(false);
      seen.set(path, digest);
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  it('ads asked for => rotations of importance 0, marked as advertisement, of no version', () => {
    const plain = truth.changes(START, START + DAY / 4);
    const all = truth.changes(START, START + DAY / 4, { ads: true });
    const ads = all.filter(({ reason }) => reason === 'ad rotation');
    expect(all.length).toBe(plain.length + ads.length);
    expect(ads.length).toBeGreaterThan(100);
    expect(
      ads.every(
        ({ importance, version, changes }) =>
          importance === 0 && version === undefined && changes.every((c) => c.advertisement),
      ),
    ).toBe(true);
    expect(truth.isAdvertisement('/ads/banner-1.svg')).toBe(true);
    expect(truth.isAdvertisement('/politics/')).toBe(false);
  });

  it('rendered => what scripts show counts for the page that shows it', () => {
    const count = (rendered: boolean) =>
      truth.changes(START, START + DAY, { rendered }).filter(({ path }) => path === '/trends/').length;
    expect(count(false)).toBe(0);
    expect(count(true)).toBe(24);
  });
});
