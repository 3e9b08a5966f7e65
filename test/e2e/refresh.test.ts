import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefreshReport } from '../../src/archive/refresh/run-refresh.ts';
import { complaints, daguerre, FAST, spawnDaguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { type FiftySites, startFiftySites } from './fifty-sites.ts';

interface Plan {
  readonly sites: readonly (RefreshReport['sites'][number] & {
    readonly limit: number;
    readonly reason: string;
  })[];
  readonly left: readonly { readonly site: string }[];
}

const DEAD = 12;
const BUDGET = 60;
/** Crawls before: enough for rules of what does not change. */
const VERSIONS = 11;

describe('fifty small sites under a budget', { timeout: 600_000 }, () => {
  let web: FiftySites;
  let archive: string;
  const refreshing = (...more: string[]): string[] => [
    ...['refresh', '--archive', archive, '--budget', String(BUDGET), '--attempts', '1', '--json'],
    ...more,
  ];
  const refresh = (...more: string[]) => daguerre(refreshing(...more));
  const plan = async (...more: string[]): Promise<Plan> => (await refresh('--dry-run', ...more)).json<Plan>();

  beforeAll(async () => {
    archive = await temporaryFolder();
    web = await startFiftySites();
    for (let crawl = 0; crawl < VERSIONS; crawl++) {
      const seeds = web.sites.map(({ url }) => `${url}/`);
      const { code } = await daguerre(['archive', ...seeds, '--archive', archive, ...FAST]);
      expect(code).toBe(0);
      web.passTime();
    }
  }, 300_000);
  afterAll(() => web.close());

  it('--dry-run => the order of ρ, its parts multiplied give it, and nothing is asked for', async () => {
    const asked = web.sites.reduce((sum, site) => sum + site.asked.length, 0);
    const { sites, left } = await plan();
    expect(sites.length + left.length).toBe(50);
    for (const [index, { priority, importance, changeRate, lastRead, pages, reason }] of sites.entries()) {
      expect(reason).toContain('ρ = ');
      // The same age for all: one crawl had read them.
      const value = (importance * changeRate) / pages;
      const first = sites[0];
      if (!first) throw new Error('no plan');
      expect(lastRead).toBe(first.lastRead);
      expect(priority / first.priority).toBeCloseTo(
        value / ((first.importance * first.changeRate) / first.pages),
        9,
      );
      expect(priority).toBeLessThanOrEqual(sites[index - 1]?.priority ?? Number.POSITIVE_INFINITY);
    }
    expect(sites.reduce((sum, { pages }) => sum + pages, 0)).toBeLessThanOrEqual(BUDGET);
    expect(web.sites.reduce((sum, site) => sum + site.asked.length, 0)).toBe(asked);
  });

  it('a refresh => sites are asked in that order, one request at a time; what is proven and inferred is told', async () => {
    const planned = (await plan()).sites.map(({ site }) => site);
    const order = web.orderSince();
    const { code, json, stderr } = await refresh('--miss-at-most', '20%');
    expect(code).toBe(0);
    const report = json<RefreshReport>();
    expect(report.sites[0]?.site).toBe(planned[0]);
    const priorities = report.sites.map(({ priority }) => priority);
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
    // What was inferred cost nothing: more sites were read than were planned for.
    expect(report.sites.length).toBeGreaterThan(planned.length);
    expect(order()).toEqual(report.sites.map(({ site }) => site));
    expect(web.mostAtOnce).toBe(1);
    expect(report.spent.refresh).toBeLessThanOrEqual(BUDGET);
    expect(report.spent.refresh).toBeGreaterThan(BUDGET - 6);
    for (const { visited, proven, inferred, pages } of report.sites) {
      expect(visited).toBe(proven);
      expect(proven + inferred).toBe(pages);
    }
    expect(stderr).toMatch(/To be read, in this order: \d+ sites/);
    const [first] = report.sites;
    if (!first) throw new Error('nothing was read');
    const quality = await daguerre(['report', first.site, '--archive', archive, '--json']);
    expect(quality.json()).toMatchObject({
      crawl: { id: first.report.crawl },
      coverage: { proven: first.proven, inferred: { pages: first.inferred } },
    });
    await withCatalog(archive, async (catalog) => {
      const crawls = (await catalog.crawls()).filter(({ spec }) => spec.refresh?.run === report.run);
      expect(crawls).toHaveLength(report.sites.length);
      expect(crawls[0]?.spec.refresh).toMatchObject({ site: first.site, priority: first.priority });
      expect((await catalog.notes(crawls[0]?.id ?? 0)).join()).toMatch(
        /refresh .*: ρ = .* importance .* ÷ \d pages?/,
      );
    });
    expect(report.sites.reduce((sum, { inferred }) => sum + inferred, 0)).toBeGreaterThan(10);
    // What was read waits again from now on.
    const next = await plan();
    for (const { site, lastRead = 0 } of next.sites)
      expect([site, lastRead > Date.parse(report.run)]).toEqual([
        site,
        report.sites.some((one) => one.site === site),
      ]);
  });

  it('a dead site => asked for once in a refresh, one page of the budget, and behind the others the next time', async () => {
    const dead = web.nameOf(DEAD);
    await web.sites[DEAD]?.close();
    const budget = ['--budget', '200'];
    const first = (await refresh(...budget)).json<RefreshReport>();
    const tried = first.sites.find(({ site }) => site === dead);
    expect(tried).toMatchObject({ proven: 0, failures: 0 });
    expect(tried?.visited).toBeLessThanOrEqual(1);
    web.passTime();
    const { sites } = await plan(...budget);
    const again = sites.find(({ site }) => site === dead);
    expect(again).toMatchObject({ failures: 1 });
    expect(again?.reason).toMatch(/÷ 2, since it brought nothing the last time/);
    await refresh(...budget);
    expect((await plan(...budget)).sites.find(({ site }) => site === dead)).toMatchObject({ failures: 2 });
  });

  it('--discovery => a share for sites that only links lead to, inside --within; without it a message', async () => {
    const within = ['--discovery', '20%', '--within', String.raw`^http://127\.0\.2\.[12]:`];
    const { sites } = await plan(...within);
    const fresh = sites.filter(({ side }) => side === 'discovery').map(({ site }) => site);
    expect(fresh.sort()).toEqual([0, 1].map((index) => new URL(web.unknown[index]?.url ?? '').host));
    const report = (await refresh(...within, '--budget', '100')).json<RefreshReport>();
    expect(report.spent.discovery).toBe(4);
    expect(report.sites.filter(({ side }) => side === 'discovery').map(({ proven }) => proven)).toEqual([
      2, 2,
    ]);
    const refused = await refresh('--discovery', '20%');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--within')]);
  });

  it('kill -9 in the middle, then the same command => goes on within the same budget, each site once', async () => {
    const order = web.orderSince();
    const running = spawnDaguerre(refreshing('--delay', '60ms'));
    while (order().length < 6) await new Promise((resolve) => setTimeout(resolve, 20));
    running.child.kill('SIGKILL');
    await running.ended;
    const { run } = JSON.parse(await readFile(join(archive, 'refresh.json'), 'utf8')) as { run: string };
    const other = await refresh('--budget', '7');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--restart')]);
    const { code, stderr, json } = await refresh();
    const report = json<RefreshReport>();
    expect([code, report.run]).toEqual([0, run]);
    expect(stderr).toContain(`Going on with the refresh begun ${run}`);
    expect(report.before.length).toBeGreaterThan(2);
    const read = [...report.before, ...report.sites.map(({ site }) => site)];
    expect(new Set(read).size).toBe(read.length);
    expect(report.spent.refresh).toBeLessThanOrEqual(BUDGET);
    expect(await complaints(archive)).toEqual([]);
  });

  it('Ctrl-C => stops after the pages in hand, exit 130, and the same command goes on', async () => {
    const order = web.orderSince();
    const running = spawnDaguerre(refreshing('--delay', '60ms'));
    while (order().length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    running.child.kill('SIGINT');
    const stopped = await running.ended;
    expect([stopped.code, stopped.json<RefreshReport>().state]).toEqual([130, 'stopped']);
    const { sites, run } = stopped.json<RefreshReport>();
    const after = (await refresh()).json<RefreshReport>();
    expect([after.run, after.state]).toEqual([run, 'finished']);
    const whole = sites.filter(({ report }) => report.state === 'finished').map(({ site }) => site);
    expect(after.before.toSorted()).toEqual(whole.toSorted());
  });

  it('a catalog that is lost => reindex brings back why each site was read; limits of a refresh bind no later one', async () => {
    const facts = () =>
      withCatalog(archive, async (catalog) =>
        (await catalog.crawls())
          .flatMap(({ spec }) => spec.refresh ?? [])
          .map(({ run, site, priority }) => [run, site, priority]),
      );
    const before = await facts();
    await rm(join(archive, 'catalog.sqlite'));
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect((await facts()).sort()).toEqual(before.sort());
    const report = (await refresh('--budget', '250', '--no-skip-by-rules')).json<RefreshReport>();
    expect(report.left).toEqual([]);
    for (const { site, pages, proven, failures } of report.sites)
      if (failures === 0) expect([site, proven]).toEqual([site, pages]);
  });

  it('no archive, no budget => a message with exit 2, nothing read with exit 0', async () => {
    const none = await daguerre(['refresh', '--archive', join(archive, 'none')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no archive')]);
    expect((await refresh('--budget', '0')).json<RefreshReport>().sites).toEqual([]);
    for (const flags of [
      ['--budget', 'many'],
      ['--workers', '0'],
      ['--discovery', '200%'],
      ['--attempts', '0'],
    ])
      expect([flags, (await refresh(...flags)).code]).toEqual([flags, 2]);
  });
});
