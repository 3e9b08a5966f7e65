import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SiteList } from '../../src/archive/sites/list-sites.ts';
import { complaints, daguerre, FAST, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** A frame of which two hosts can be told to be one site. */
const framed = (title: string, links: readonly string[]): string =>
  page(title, links).replace(
    '<h1>',
    '<div class="frame"><nav class="bar"><ul><li><em>x</em></li></ul></nav><main class="text"><section><h1>',
  );

const person = (name: string) => ({
  [`/~${name}/`]: page(`${name} at home`, [`/~${name}/cv`, `/~${name}/texts`]),
  [`/~${name}/cv`]: page(`${name}, life`, [`/~${name}/`, `/~${name}/texts`]),
  [`/~${name}/texts`]: page(`${name}, texts`, [`/~${name}/`, `/~${name}/cv`]),
});

describe('sites by rules', { timeout: 300_000 }, () => {
  let people: SmallSite;
  let shop: SmallSite;
  let folder: string;
  let archive: string;
  const run = (...args: string[]) => daguerre([...args, '--archive', archive]);
  const listed = async () =>
    (await run('sites', '--json'))
      .json<SiteList>()
      .archived.map(({ site, pages }) => [site, pages])
      .sort();
  const host = (site: SmallSite): string => new URL(site.url).host;

  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = join(folder, 'archive');
    people = await startSite({}, '127.0.3.1');
    shop = await startSite({}, '127.0.3.1');
    const bar = [`${people.url}/`, `${shop.url}/`];
    people.become({
      '/': framed('People', ['/~ann/', '/~bob/', '/list', ...bar, 'http://127.0.3.9:9/']),
      '/list': framed('List', bar),
      ...person('ann'),
      ...person('bob'),
    });
    shop.become({ '/': framed('Shop', ['/a', ...bar]), '/a': framed('A', bar) });
    for (const { url } of [people, shop]) {
      const { code } = await run('archive', `${url}/`, ...FAST);
      expect(code).toBe(0);
    }
  });
  afterAll(async () => {
    await people.close();
    await shop.close();
  });

  it('sites => pages, importance, ρ; what is known by links alone with an estimate; --importance => each measure', async () => {
    expect(await listed()).toEqual(
      [
        [host(people), 8],
        [host(shop), 2],
      ].sort(),
    );
    const { json, stdout } = await run('sites', '--importance', '--json');
    const list = json<SiteList>();
    const sum = (of: (site: SiteList['archived'][number]) => number): number =>
      [...list.archived, ...list.fresh].reduce((all, site) => all + of(site), 0);
    expect(sum(({ importance }) => importance)).toBeCloseTo(1, 9);
    expect(sum(({ measures }) => measures?.theorem ?? 0)).toBeCloseTo(1, 9);
    expect(Object.keys(list.rankCorrelation ?? {})).toHaveLength(5);
    expect(list.fresh).toMatchObject([{ site: '127.0.3.9:9', pages: 0, known: 1, lastRead: null }]);
    expect(list.fresh[0]?.estimated?.pages).toBeGreaterThan(0);
    expect(stdout).not.toBe('');
    expect((await run('sites')).stdout).toMatch(
      /^ρ +site +pages +importance +changes\/page\/day +last crawl/,
    );
  });

  it('suggest => both hosts as one and a site for each person, with evidence, as lines that rules take', async () => {
    const { stdout } = await run('sites', 'suggest');
    expect(stdout).toContain(`  - '${host(people)}/~*'`);
    expect(stdout).toMatch(/# \d+% of the pages of .* link to .* back; their templates agree to \d+%/);
    expect(stdout).toContain(`['${host(people)}', '${host(shop)}']`);
    const file = join(folder, 'sites.yaml');
    await writeFile(file, stdout);
    const { code, stderr } = await run('sites', 'rules', '--config', file);
    expect([code, stderr]).toEqual([0, expect.stringContaining('9 archived URLs are of another site now')]);
    const BY_RULE = [
      [host(people), 4],
      [`${host(people)}/~ann`, 3],
      [`${host(people)}/~bob`, 3],
    ];
    expect(await listed()).toEqual(BY_RULE);
    expect((await run('sites', 'suggest', '--json')).json()).toEqual({ suggestions: [] });
    // From the records and sites.json alone.
    await rm(join(archive, 'catalog.sqlite'));
    expect((await run('reindex')).code).toBe(0);
    expect(await listed()).toEqual(BY_RULE);
    expect((await run('sites', 'rules')).stdout).toContain(`'${host(people)}/~*'`);
  });

  it('report, crawl counts and refresh => speak of a person as of a site', async () => {
    const ann = `${host(people)}/~ann`;
    const { json } = await run('report', `${people.url}/~ann/cv`, '--json');
    expect(json()).toMatchObject({
      site: ann,
      coverage: { captured: 3, pending: 0 },
      storage: { captures: 3 },
    });
    await withCatalog(archive, async (catalog) => {
      const { sites } = await catalog.tally(1);
      expect(sites.map(({ site, captured }) => [site, captured])).toContainEqual([ann, 3]);
    });
    const before = people.asked.length;
    const refreshed = (await run('refresh', '--budget', '50', '--delay', '300ms', '--json')).json<{
      sites: { site: string; proven: number; report: { sites: { site: string }[] } }[];
    }>();
    expect(refreshed.sites.map(({ site, proven }) => [site, proven]).sort()).toEqual([
      [host(people), 4],
      [ann, 3],
      [`${host(people)}/~bob`, 3],
    ]);
    // Each crawl stays in its site.
    for (const { site, report } of refreshed.sites)
      expect(report.sites.map((one) => one.site)).toEqual([site]);
    expect(people.asked.length - before).toBe(2 + 6 + 3);
    expect(await complaints(archive)).toEqual([]);
  });

  it('rules from the configuration of a crawl, and no rules again => as asked; bad rules => file, line, exit 2', async () => {
    const file = join(folder, 'crawl.yaml');
    await writeFile(file, `seeds: [${shop.url}/]\nsites:\n  - ${host(shop)}/a\n  - 5\n`);
    const bad = await run('archive', '--config', file, ...FAST);
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringContaining('crawl.yaml:4: sites.1: expected a directory'),
    ]);
    await writeFile(file, `seeds: [${shop.url}/]\nsites: []\n`);
    const good = await run('archive', '--config', file, ...FAST);
    expect([good.code, good.stderr]).toEqual([
      0,
      expect.stringContaining('9 archived URLs are of another site now'),
    ]);
    expect(await listed()).toEqual(
      [
        [host(people), 8],
        [host(shop), 2],
      ].sort(),
    );
    await writeFile(join(archive, 'sites.json'), '{ "sites": [["no host at all"]] }');
    const damaged = await run('archive', `${shop.url}/`, ...FAST);
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('sites.json cannot be read')]);
  });
});
