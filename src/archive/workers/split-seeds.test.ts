import { describe, expect, it } from 'vitest';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import { refuseUnshareable, splitBySite } from './split-seeds.ts';

const SEEDS = ['https://a.example/', 'https://b.example/x', 'https://a.example/y'];
const spec = crawlSpec(CRAWL_SETTINGS.parse({ seeds: SEEDS }), undefined);
const siteOf = (url: string): string => new URL(url).host;

describe('splitBySite', () => {
  it('seeds of two sites => a crawl for each, in their order, with its own seeds', () => {
    const shares = splitBySite(spec, siteOf);
    expect(shares.map(({ site, spec: { seeds } }) => [site, seeds])).toEqual([
      ['a.example', ['https://a.example/', 'https://a.example/y']],
      ['b.example', ['https://b.example/x']],
    ]);
    expect(shares[1]?.spec.limits).toEqual(spec.limits);
  });

  it('a seed with a scope of its own => goes along with it, and nowhere else', () => {
    const seedScopes = [{ url: 'https://b.example/x', scope: { ...spec.scope, depth: 1 } }];
    const [a, b] = splitBySite({ ...spec, seedScopes }, siteOf);
    expect(a?.spec).not.toHaveProperty('seedScopes');
    expect(b?.spec.seedScopes).toEqual(seedScopes);
  });
});

describe('refuseUnshareable', () => {
  it('what is stored with a crawl => may be handed over', () => {
    expect(() => refuseUnshareable(spec)).not.toThrow();
  });

  it('secrets, proxies, sessions => refused, since a worker elsewhere has none of them', () => {
    expect(() => refuseUnshareable({ ...spec, supplied: ['cookie'] })).toThrow('--cookie');
    expect(() => refuseUnshareable({ ...spec, ways: [] })).toThrow('proxy');
    expect(() => refuseUnshareable({ ...spec, session: 'crawl' })).toThrow('--session');
  });
});
