import { describe, expect, it } from 'vitest';
import { stream } from '../newspaper/random.ts';
import { isThere, linksAt, livingSites, versionAt } from './living-sites.ts';
import { type FoundVisit, readAgain, WAYS } from './read-again.ts';
import { clicks } from './reader.ts';

const OPTIONS = { sites: 6, days: 20 };

describe('living sites', () => {
  it('the same seed => the same sites; another => others', () => {
    expect(livingSites(1, OPTIONS)).toEqual(livingSites(1, OPTIONS));
    expect(livingSites(2, OPTIONS)).not.toEqual(livingSites(1, OPTIONS));
  });

  it('a front page => changes when an article comes or goes, and links to those that are there', () => {
    for (const site of livingSites(3, OPTIONS)) {
      const [front] = site.pages;
      if (!front) throw new Error('no front page');
      for (const at of front.changes) {
        expect(versionAt(front, at)).toBe(versionAt(front, at - 1e-9) + 1);
        const count = (time: number): number => linksAt(site, front, time).length;
        expect(Math.abs(count(at) - count(at - 1e-9))).toBe(1);
      }
      expect(linksAt(site, front, 5).every((page) => isThere(page, 5))).toBe(true);
    }
  });
});

describe('a reader', () => {
  const sites = livingSites(5, OPTIONS);
  const span = { from: 5, to: 20 };
  const click = (readings: readonly FoundVisit[]) =>
    clicks(sites, readings, span, { count: 300, random: stream(7) });

  it('everything read at one moment => no link dangles, none is mixed', () => {
    const readings = sites.flatMap(({ pages }) =>
      pages.filter((page) => isThere(page, 10)).map((page) => ({ page, at: 10 })),
    );
    expect(click(readings)).toMatchObject({ dangling: 0, mixed: 0, apart: 0 });
  });

  it('front pages alone => every link dangles', () => {
    const readings = sites.map(({ pages }) => ({ page: pages[0] as FoundVisit['page'], at: 10 }));
    expect(click(readings)).toMatchObject({ dangling: 1, mixed: 0 });
  });
});

describe('two ways to read again', () => {
  const sites = livingSites(11, OPTIONS);
  it.each(WAYS)('%s => a visit a slot, pages that are there alone', (way) => {
    const readings = readAgain(sites, way, { days: 20, pace: 30, random: stream(1) });
    expect(readings.length).toBeGreaterThan(500);
    expect(readings.length).toBeLessThanOrEqual(600);
    expect(new Set(readings.map(({ at }) => at)).size).toBe(readings.length);
    expect(readings.every(({ page, at }) => isThere(page, at))).toBe(true);
  });

  it('sites by ρ => pages of a site stand together', () => {
    const readings = readAgain(sites, 'sites by ρ', { days: 20, pace: 30, random: stream(1) });
    const turns = readings.filter(({ page }, i) => readings[i - 1]?.page.site !== page.site).length;
    const other = readAgain(sites, 'pages by chance', { days: 20, pace: 30, random: stream(1) });
    const leaps = other.filter(({ page }, i) => other[i - 1]?.page.site !== page.site).length;
    expect(turns).toBeLessThan(leaps / 2);
  });
});
