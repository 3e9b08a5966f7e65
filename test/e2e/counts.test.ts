import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, daguerre, FAST, type Finished, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const moved = { status: 301, headers: { Location: '/new' }, body: '' };

let one: SmallSite;
let two: SmallSite;
let archive: string;
const runs: Finished[] = [];

/** Two sites in one crawl, crawled twice; in between pages come, change, go and break. */
beforeAll(async () => {
  archive = join(await temporaryFolder(), 'archive');
  one = await startSite({
    '/': page('One', ['/a', '/b', '/withdrawn', '/moved', '/never', '/secret']),
    '/a': page('A'),
    '/b': page('B', ['/logo.png']),
    '/withdrawn': page('Withdrawn'),
    '/moved': moved,
    '/new': page('New place'),
  });
  two = await startSite({ '/': page('Two', ['/x', '/secret/of-two']), '/x': page('X') }, '127.0.0.2');
  const args = ['archive', `${one.url}/`, `${two.url}/`, '--archive', archive, '--exclude', '/secret'];
  runs.push(await daguerre([...args, ...FAST]));
  one.become({
    '/': page('One', ['/a', '/b', '/withdrawn', '/moved', '/never', '/fresh', '/secret']),
    '/a': page('A, otherwise'),
    '/b': page('B', ['/logo.png']),
    '/moved': moved,
    '/new': page('New place'),
    '/fresh': page('Fresh'),
  });
  runs.push(await daguerre([...args, ...FAST]));
  runs.push(await daguerre([...args, ...FAST.filter((flag) => flag !== '--json')]));
});

afterAll(async () => {
  await one.close();
  await two.close();
});

interface Counts {
  readonly site?: string;
  readonly captured: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly redirects: number;
  readonly gone: number;
  readonly failed: number;
}

const numbers = ({ captured, new: fresh, changed, unchanged, redirects, gone, failed }: Counts) => ({
  captured,
  fresh,
  changed,
  unchanged,
  redirects,
  gone,
  failed,
});

describe('the end of a crawl', () => {
  it('the first time => every page new; a redirect is none of them, a missing page failed', () => {
    expect(numbers(runs[0]?.json<Counts>() as Counts)).toEqual({
      captured: 7,
      fresh: 7,
      changed: 0,
      unchanged: 0,
      redirects: 1,
      gone: 0,
      failed: 2,
    });
  });

  it('the second time => new, changed, unchanged, redirects, gone and failed, for each site', () => {
    const report = runs[1]?.json<Counts & { sites: Counts[]; goneUrls: string[] }>();
    if (!report) throw new Error('no report');
    expect(numbers(report)).toEqual({
      captured: 3,
      fresh: 1,
      changed: 2,
      unchanged: 4,
      redirects: 1,
      gone: 1,
      failed: 2,
    });
    expect(report.goneUrls).toEqual([`${one.url}/withdrawn`]);
    expect(report.sites.map(({ site, unchanged, failed }) => [site, unchanged, failed])).toEqual([
      [`127.0.0.1:${one.port}`, 2, 2],
      [`127.0.0.2:${two.port}`, 2, 0],
    ]);
  });

  it('the lists of the catalog => as long as the numbers', async () => {
    const report = runs[1]?.json<Counts & { crawl: number }>();
    if (!report) throw new Error('no report');
    await withCatalog(archive, async (catalog) => {
      const length = async (result: 'new' | 'changed' | 'unchanged' | 'redirect' | 'gone' | 'failed') =>
        (await catalog.settledVisits({ crawlId: report.crawl, result })).length;
      expect([await length('new'), await length('changed'), await length('unchanged')]).toEqual([1, 2, 4]);
      expect([await length('redirect'), await length('gone'), await length('failed')]).toEqual([1, 1, 2]);
    });
  });

  it('for people => the same in words, no number that needs explaining', () => {
    const text = runs[2]?.stdout ?? '';
    expect(text).toMatch(/^Finished: \d+ pages in /);
    expect(text).toMatch(/^ {2}redirects +1 /m);
    expect(text).toContain('By site:');
    expect(text).toMatch(/Do the pages belong together in time\? [A-Z]/);
    expect(text).not.toMatch(/\de-\d|blur/);
  });

  it('reindex => the same numbers from the records alone', async () => {
    const before = await withCatalog(archive, (catalog) => catalog.tally(2));
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect(await withCatalog(archive, (catalog) => catalog.tally(2))).toEqual(before);
  });
});

describe('report <site>', () => {
  interface SiteReport {
    readonly site: string;
    readonly crawl: { readonly seeds: readonly string[]; readonly otherSites: number };
    readonly coverage: Counts & { readonly skipped: number };
    readonly certificate: { readonly statement: { readonly sharp: { readonly pages: number } } };
  }
  const reportOf = async (site: string) =>
    (await daguerre(['report', site, '--archive', archive, '--crawl', '2', '--json'])).json<SiteReport>();

  it('of a crawl of two sites => that site alone, its pages, its losses, its part of the certificate', async () => {
    const report = await reportOf(`127.0.0.2:${two.port}`);
    expect(report).toMatchObject({
      crawl: { seeds: [`${two.url}/`], otherSites: 1 },
      coverage: { captured: 0, unchanged: 2, failed: 0, skipped: 1, share: 1 },
      certificate: { statement: { sharp: { pages: 2 } }, isWhole: false },
    });
    expect(JSON.stringify(report)).not.toContain(`127.0.0.1:${one.port}`);
    const text = await daguerre(['report', two.url, '--archive', archive]);
    expect(text.stdout).toContain('alone; the crawl visited 1 other site');
    expect(text.stdout).not.toContain('/withdrawn');
  });

  it('any spelling of the site => the same report', async () => {
    const expected = await reportOf(`127.0.0.2:${two.port}`);
    expect(await reportOf(`${two.url}/x`)).toEqual(expected);
    expect(await reportOf(`127.0.0.2:${two.port}/`)).toEqual(expected);
  });
});

it('captures => redirects are stored all the same', async () => {
  const captures = await withCatalog(archive, (catalog) =>
    collect(catalog.captures({ url: `${one.url}/moved` })),
  );
  expect(captures.map(({ status }) => status)).toEqual([301, 301, 301]);
});
