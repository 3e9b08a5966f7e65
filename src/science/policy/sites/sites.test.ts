import { describe, expect, it } from 'vitest';
import { type Candidates, nextSite, type Side } from './divide-budget.ts';
import { newSiteSize } from './new-site-size.ts';
import { expectedChanges, figure, rankSites, type SiteStanding } from './site-priority.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const site = (name: string, more: Partial<SiteStanding> = {}): SiteStanding => ({
  site: name,
  importance: 0.1,
  changeRate: 1 / 86_400,
  lastRead: NOW - 10 * DAY,
  pages: 10,
  failures: 0,
  ...more,
});
const order = (...sites: SiteStanding[]): string =>
  rankSites(sites, NOW)
    .map((one) => one.site)
    .join(' ');

describe('ρ(S)', () => {
  it('importance .1, 10 days, a change a day, 10 pages => .1 · 10 · 1 ÷ 10, and the reason says so', () => {
    const [ranked] = rankSites([site('a.example')], NOW);
    expect(ranked?.priority).toBeCloseTo(0.1, 12);
    expect(ranked?.reason).toBe(
      'ρ = 0.1: importance 0.1 × 10 days since its last crawl × 1 changes per page and day ÷ 10 pages',
    );
  });

  it.each([
    ['more important', { importance: 0.2 }],
    ['longer ago', { lastRead: NOW - 11 * DAY }],
    ['livelier', { changeRate: 2 / 86_400 }],
    ['smaller', { pages: 9 }],
  ])('%s, and else alike => first', (_, more) => expect(order(site('a'), site('b', more))).toBe('b a'));

  it('a dead site of ten times the priority => first once, and behind after four tries in vain', () => {
    const dead = site('dead', { importance: 1 });
    expect(order(site('a'), dead)).toBe('dead a');
    expect(order(site('a'), { ...dead, failures: 4 })).toBe('a dead');
    expect(rankSites([{ ...dead, failures: 4 }], NOW)[0]?.reason).toMatch(
      /÷ 16, since it brought nothing the last 4 times$/,
    );
  });

  it('a clock that went back, no pages, no importance => 0 or finite, by name', () => {
    expect(order(site('b', { lastRead: NOW + DAY }), site('a', { importance: 0 }))).toBe('a b');
    expect(rankSites([site('a', { pages: 0 })], NOW)[0]?.priority).toBeCloseTo(1, 12);
  });

  it('another θ => its order', () => {
    const byAge = rankSites(
      [site('a'), site('b', { lastRead: 0, importance: 0 })],
      NOW,
      ({ lastRead = 0 }, now) => now - lastRead,
    );
    expect(byAge[0]?.site).toBe('b');
    expect(expectedChanges(site('a'), NOW)).toBeCloseTo(1, 12);
  });

  it.each([
    [0, '0'],
    [0.12345, '0.123'],
    [1234.5, '1230'],
    [0.00012345, '1.23e-4'],
  ])('%d => %s', (value, text) => expect(figure(value)).toBe(text));
});

describe('a budget between discovery and refresh', () => {
  const of = (
    refresh: readonly number[],
    discovery: readonly number[] = [],
  ): Candidates<{ site: string; pages: number }> => {
    const named = (side: string, sizes: readonly number[]) =>
      sizes.map((pages, i) => ({ site: `${side}${i}`, pages }));
    return { refresh: named('r', refresh), discovery: named('d', discovery) };
  };
  /** Sites in the order they are read, each taking what was expected, up to its limit. */
  function run(candidates: ReturnType<typeof of>, pages: number, discovery: number): string {
    const spent: Record<Side, number> = { refresh: 0, discovery: 0 };
    const left = { refresh: [...candidates.refresh], discovery: [...candidates.discovery] };
    const read: string[] = [];
    for (
      let next = nextSite(left, spent, { pages, discovery });
      next;
      next = nextSite(left, spent, { pages, discovery })
    ) {
      const { candidate, side, limit, isPart } = next;
      read.push(candidate.site + (isPart ? '!' : ''));
      spent[side] += Math.min(limit, candidate.pages);
      left[side] = left[side].filter((one) => one !== candidate);
    }
    return `${read.join(' ')} = ${spent.refresh}+${spent.discovery}`;
  }

  it.each([
    ['all fits', of([3, 4, 5]), 20, 0, 'r0 r1 r2 = 12+0'],
    ['one does not fit what is left: the next that does', of([6, 8, 3]), 10, 0, 'r0 r2 = 9+0'],
    ['a fifth for discovery', of([5, 5, 5, 5], [2, 2, 2]), 20, 0.2, 'r0 r1 r2 d0 d1 = 15+4'],
    ['nothing to discover: all for refresh', of([5, 5, 5, 5]), 20, 0.2, 'r0 r1 r2 r3 = 20+0'],
    ['nothing to refresh: all for discovery', of([], [8, 8]), 20, 0.2, 'd0 d1 = 0+16'],
    ['no discovery asked for', of([], [8]), 20, 0, ' = 0+0'],
    ['larger than the budget: as far as it goes, if first', of([50, 4]), 10, 0, 'r0! = 10+0'],
    ['larger than the budget, not first: not now', of([4, 50, 4]), 10, 0, 'r0 r2 = 8+0'],
    ['no budget', of([1]), 0, 0, ' = 0+0'],
    ['no sites', of([]), 10, 0.5, ' = 0+0'],
  ])('%s', (_, candidates, pages, discovery, read) => expect(run(candidates, pages, discovery)).toBe(read));
});

describe('pages of a site that was never read', () => {
  it('no site read => five for each known URL, with a wide interval', () => {
    expect(newSiteSize(4, [])).toEqual({ pages: 20, low: 4, high: 519, from: 0 });
  });

  it('fifty sites of about 12 pages for each linked URL => about 12, and far closer', () => {
    const read = Array.from({ length: 50 }, (_, i) => ({
      linked: 1 + (i % 5),
      pages: (1 + (i % 5)) * (10 + (i % 5)),
    }));
    const { pages, low, high, from } = newSiteSize(2, read);
    expect([pages, from]).toEqual([23, 50]);
    expect(low).toBeGreaterThan(12);
    expect(high).toBeLessThan(45);
  });

  it('sites that nobody links to, or without pages => no evidence; and never fewer pages than URLs are known', () => {
    expect(
      newSiteSize(3, [
        { linked: 0, pages: 9 },
        { linked: 4, pages: 0 },
      ]).from,
    ).toBe(0);
    expect(
      newSiteSize(
        30,
        Array.from({ length: 20 }, () => ({ linked: 100, pages: 10 })),
      ).pages,
    ).toBe(30);
  });
});
