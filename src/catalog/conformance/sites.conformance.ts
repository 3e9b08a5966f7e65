import { expect, it } from 'vitest';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, capture, entry, pageOf, SPEC, visited, visitOf } from './examples.conformance.ts';

const PEOPLE = 'https://people.example.org';
const URLS = [
  `${PEOPLE}/`,
  `${PEOPLE}/~ann/`,
  `${PEOPLE}/~ann/cv`,
  `${PEOPLE}/~bob/`,
  'https://shop.example.org/',
];
const WAITS = `${PEOPLE}/~bob/waits`;
const RULES = [['people.example.org', 'shop.example.org'], ['people.example.org/~*']];
const INFERRED = {
  directory: '/~ann/',
  reason: 'quiet',
  rule: 'never changed',
  expectedMissed: 0.1,
  confidence: 0.9,
  lastSeen: 900,
  state: 'inferred',
  urls: [`${PEOPLE}/~ann/cv`],
} as const;

/** Rules of sites, given before anything is there or after all of it. */
export function sitesByRules(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  async function crawl(): Promise<number> {
    const { id } = await catalog().createCrawl('key', SPEC, 500);
    const hosts = new Map([...URLS, WAITS].map((url) => [url, new URL(url).host]));
    const { enqueued } = await catalog().commit(
      batch(id, {
        discovered: [...URLS, WAITS].map((url) => entry(url, { host: hosts.get(url) ?? '' })),
        inferred: [{ ...INFERRED, site: catalog().siteBounds().siteOf(`${PEOPLE}/~ann/`) }],
      }),
    );
    const ids = new Map(enqueued.map((one) => [one.url, one.id]));
    const visits = URLS.map((url) =>
      visited(ids.get(url) ?? 0, visitOf(url), { captures: [capture(url, 1_000)], page: pageOf(url, 1_000) }),
    );
    await catalog().commit(batch(id, { visits }));
    return id;
  }

  async function told(id: number) {
    const { sites } = await catalog().tally(id);
    return {
      sites: (await catalog().sites()).map(({ site, pages }) => [site, pages]),
      tally: sites.map(({ site, captured, pending }) => [site, captured, pending]).sort(),
      ann: (await catalog().settledVisits({ crawlId: id, result: 'new', site: 'people.example.org/~ann' }))
        .length,
      known: (await all(catalog().knownPages('people.example.org/~ann'))).length,
      inferred: (await catalog().inferences({ site: 'people.example.org/~ann' })).length,
    };
  }

  const BY_HOST = {
    sites: [
      ['people.example.org', 4],
      ['shop.example.org', 1],
    ],
    tally: [
      ['people.example.org', 4, 1],
      ['shop.example.org', 1, 0],
    ],
    ann: 0,
    known: 0,
    inferred: 0,
  };
  const BY_RULE = {
    sites: [
      ['people.example.org', 2],
      ['people.example.org/~ann', 2],
      ['people.example.org/~bob', 1],
    ],
    tally: [
      ['people.example.org', 2, 0],
      ['people.example.org/~ann', 2, 0],
      ['people.example.org/~bob', 1, 1],
    ],
    ann: 2,
    known: 0,
    inferred: 1,
  };

  it('rules before a crawl => its pages are filed by them, and without rules by host again', async () => {
    expect(await catalog().setSiteRules(RULES)).toEqual({ urls: 0, sites: [] });
    await reopen();
    const id = await crawl();
    expect(await told(id)).toEqual(BY_RULE);
    expect(await catalog().setSiteRules([])).toEqual({
      urls: 4,
      sites: ['people.example.org', 'people.example.org/~ann', 'people.example.org/~bob', 'shop.example.org'],
    });
    await reopen();
    expect(await told(id)).toEqual(BY_HOST);
  });

  it('rules after a crawl, running or folded => as if they had been there before', async () => {
    const id = await crawl();
    expect(await told(id)).toEqual(BY_HOST);
    await catalog().setSiteRules(RULES);
    expect(await told(id)).toEqual(BY_RULE);
    await catalog().setSiteRules([]);
    await catalog().skipPending(id, 'page-limit', 'enough');
    await catalog().setCrawlState(id, 'finished', 2_000);
    await catalog().setSiteRules(RULES);
    await reopen();
    const tally = BY_RULE.tally.map(([site, captured]) => [site, captured, 0]);
    expect(await told(id)).toEqual({ ...BY_RULE, tally, known: 2 });
  });

  it('directories of one path on two hosts that become one site => one directory with the pages of both', async () => {
    const { id } = await catalog().createCrawl('key', SPEC, 500);
    const of = (host: string) => ({
      ...INFERRED,
      site: host,
      directory: '/a/',
      urls: [`https://${host}/a/1`],
    });
    await catalog().commit(
      batch(id, { inferred: [of('one.example'), of('two.example'), of('three.example')] }),
    );
    await catalog().setSiteRules([['two.example', 'one.example']]);
    const kept = await (await reopen()).inferences({ crawlId: id });
    expect(kept.map(({ site, urls }) => [site, urls])).toEqual([
      ['two.example', ['https://one.example/a/1', 'https://two.example/a/1']],
      ['three.example', ['https://three.example/a/1']],
    ]);
  });
}
