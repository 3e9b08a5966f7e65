import { describe, expect, it } from 'vitest';
import { createScope } from '../../capture/scope.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { type SiteRule, siteBounds } from '../../model/site-bounds.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { mayJoin } from '../crawl/own-site.ts';
import { type SpecChanges, siteSpec } from './site-spec.ts';

const NOTHING: SpecChanges = { skipByRules: true };
const fact = (site: string) => ({
  run: '2026-03-01T00:00:00.000Z',
  site,
  side: 'refresh' as const,
  priority: 1,
  importance: 1,
  changeRate: 1,
  pages: 10,
  failures: 0,
});
const given = (settings: Record<string, unknown>): CrawlSpec => crawlSpec(CRAWL_SETTINGS.parse(settings));
const read = (
  site: string,
  ofSite: CrawlSpec | undefined,
  {
    rules = [] as readonly SiteRule[],
    changes = NOTHING,
    urls = ofSite?.seeds.filter((seed) => siteBounds([]).siteOf(seed) === site) ?? ([] as readonly string[]),
    ofArchive = undefined as CrawlSpec | undefined,
    limit = 20,
  } = {},
) => siteSpec({ fact: fact(site), urls, limit }, { ofSite, ofArchive }, changes, siteBounds(rules));

const takes = (spec: CrawlSpec, url: string, rules: readonly SiteRule[] = []): boolean =>
  createScope(spec, undefined, mayJoin(spec, siteBounds(rules))).judgeLink(
    url,
    { url: spec.seeds[0] ?? '', depth: 0, extraHops: 0 },
    0,
  ).inside;

describe('the crawl of one site in a refresh', () => {
  it('a crawl of two sites => the seeds of this one, with their own scope, and the pages that may be visited', () => {
    const before = given({
      seeds: [{ url: 'https://a.example/', depth: 2 }, 'https://b.example/', 'https://www.a.example/news/'],
      delay: '5s',
      render: 'never',
      pageLimit: 7,
    });
    const spec = read('a.example', before);
    expect(spec.seeds).toEqual(['https://a.example/', 'https://www.a.example/news/']);
    expect(spec.seedScopes).toMatchObject([{ url: 'https://a.example/', scope: { depth: 2 } }]);
    expect(spec).toMatchObject({ limits: { pages: 7 }, politeness: { delay: 5_000 }, render: 'never' });
    expect(spec.skipByRules).toEqual({ missAtMost: 0.05, refreshEvery: 8, pin: [] });
    expect(spec.refresh?.site).toBe('a.example');
  });

  it('flags => in place of what it was', () => {
    const before = given({
      seeds: ['https://a.example/'],
      skipByRules: true,
      missAtMost: '10%',
      pin: ['/x'],
    });
    const changes = { skipByRules: true, render: 'never', delay: 10, refreshEvery: 3 } as const;
    expect(read('a.example', before, { changes })).toMatchObject({
      render: 'never',
      politeness: { delay: 10 },
      skipByRules: { missAtMost: 0.1, refreshEvery: 3, pin: ['/x'] },
    });
    expect(read('a.example', before, { changes: { skipByRules: false } }).skipByRules).toBeUndefined();
  });

  it.each(['any', 'domain'])('a crawl that led beyond the site (%s) => kept inside it', (scopeType) => {
    const spec = read('a.example.org', given({ seeds: ['https://a.example.org/'], scopeType }));
    expect(takes(spec, 'https://a.example.org/x')).toBe(true);
    expect(takes(spec, 'https://b.example.org/')).toBe(false);
  });

  it.each([{ include: ['https://b.example.org/*'] }, { extraHops: 2 }])(
    'a crawl that took pages of another site by %j => kept inside its own',
    (settings) => {
      const before = given({ seeds: ['https://a.example.org/'], ...settings });
      expect(takes(before, 'https://b.example.org/')).toBe(true);
      const spec = read('a.example.org', before);
      expect(takes(spec, 'https://a.example.org/x')).toBe(true);
      expect(takes(spec, 'https://b.example.org/')).toBe(false);
    },
  );

  it('a seed that has moved to another site => where it leads is read, and no further', () => {
    const spec = read('a.example.org', given({ seeds: ['https://a.example.org/'] }));
    const scope = createScope(spec, undefined, mayJoin(spec, siteBounds([])));
    const seed = { url: 'https://a.example.org/', depth: 0, extraHops: 0, isSeed: true };
    expect(scope.judgeRedirect('https://b.example.org/', seed, 0).inside).toBe(true);
    const moved = { url: 'https://b.example.org/', depth: 0, extraHops: 0 };
    expect(scope.judgeLink('https://b.example.org/x', moved, 0).inside).toBe(false);
  });

  it('a host with directories that are sites, and one of them => each without the other', () => {
    const rules = [['people.example.org/~*']];
    const before = given({ seeds: ['https://people.example.org/'], scopeType: 'host' });
    const host = read('people.example.org', before, { rules });
    expect(takes(host, 'https://people.example.org/list', rules)).toBe(true);
    expect(takes(host, 'https://people.example.org/~ann/cv', rules)).toBe(false);
    const urls = ['https://people.example.org/~ann/'];
    const ann = read('people.example.org/~ann', undefined, { rules, urls, ofArchive: before });
    expect(takes(ann, 'https://people.example.org/~ann/cv', rules)).toBe(true);
    expect(takes(ann, 'https://people.example.org/list', rules)).toBe(false);
  });

  it('a site that no crawl began at => from its known addresses, in the manner of the last crawl, not in its limits', () => {
    const ofArchive = given({ seeds: ['https://a.example/'], scopeType: 'page', pageLimit: 1, delay: '3s' });
    const spec = read('new.example', undefined, { urls: ['https://new.example/x'], ofArchive });
    expect(spec).toMatchObject({
      seeds: ['https://new.example/x'],
      limits: { pages: 20 },
      politeness: { delay: 3_000 },
    });
    expect(takes(spec, 'https://new.example/')).toBe(true);
    expect(read('new.example', undefined, { urls: ['https://new.example/x'] }).seeds).toHaveLength(1);
  });
});
