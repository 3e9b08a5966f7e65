import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefreshReport } from '../../src/archive/refresh/run-refresh.ts';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** Pages at first, and with those that came later. */
const PAGES = 20;
const LATER = 24;
const SMALL = 8;

const paths = (count: number): string[] => Array.from({ length: count }, (_, number) => `/p/${number}`);

/** The first page, which links to all others. */
const siteOf = (count: number) => (path: string) => {
  if (path === '/') return page('Home', paths(count));
  return paths(count).includes(path) ? page(`Page ${path}`, ['/']) : undefined;
};

describe('a site that is larger than the budget', { timeout: 120_000 }, () => {
  let web: SmallSite;
  let archive: string;
  const refresh = (budget: number, ...more: string[]) =>
    daguerre(['refresh', '--archive', archive, '--budget', String(budget), '--workers', '1', ...more]);
  /** Pages asked for since. */
  const askedSince = () => {
    const before = web.asked.length;
    return () => web.asked.slice(before).filter((path) => path === '/' || path.startsWith('/p/'));
  };

  beforeAll(async () => {
    archive = await temporaryFolder();
    web = await startSite(siteOf(PAGES));
    for (let crawl = 0; crawl < 2; crawl++)
      expect((await daguerre(['archive', `${web.url}/`, '--archive', archive, ...FAST])).code).toBe(0);
    web.become(siteOf(LATER));
  });
  afterAll(() => web.close());

  it('8 pages twice => told that it is a part; the second begins with what the first left', async () => {
    const first = askedSince();
    const { code, stdout, stderr } = await refresh(SMALL);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Read in part: .* \(8 of 25 pages: the budget ended\)/);
    expect(stderr).toContain('8 of 25 pages: the budget ended');
    const begun = first();
    expect(begun).toHaveLength(SMALL);
    const second = askedSince();
    const report = (await refresh(SMALL, '--json')).json<RefreshReport>();
    expect(report.sites).toMatchObject([{ visited: SMALL, unread: 17 }]);
    // The seed shows what is new; all else was not asked for the last time.
    expect(second().filter((path) => begun.includes(path))).toEqual(['/']);
  });

  it('then a budget for all => all, and nothing is called a part', async () => {
    const asked = askedSince();
    const { stdout } = await refresh(500);
    expect(asked().toSorted()).toEqual(['/', ...paths(LATER)].toSorted());
    expect(stdout).toMatch(/^Finished: 1 site read; 25 of 500 pages spent\n/);
    expect(stdout).not.toContain('part');
  });
});
