import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collect,
  complaints,
  daguerre,
  FAST,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

interface Report {
  readonly captured: number;
  readonly skipped: number;
  readonly skips: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly pending: number;
  readonly crawl: number;
}

async function closing<T>(site: SmallSite, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await site.close();
  }
}

describe('sites without end', () => {
  it('indexes of sitemaps that name ever more => bounded, told while it runs and in the report', async () => {
    let made = 0;
    const site = await startSite((path, request) => {
      const origin = `http://${request.headers.host}`;
      if (path === '/robots.txt') return { body: `Sitemap: ${origin}/map-0.xml` };
      if (path === '/') return page('Home');
      if (!path.startsWith('/map-')) return undefined;
      const named = Array.from(
        { length: 50 },
        () => `<sitemap><loc>${origin}/map-${++made}.xml</loc></sitemap>`,
      );
      return {
        headers: { 'Content-Type': 'application/xml' },
        body: `<sitemapindex>${named.join('')}</sitemapindex>`,
      };
    });
    await closing(site, async () => {
      const archive = await temporaryFolder();
      const run = await daguerre([
        'archive',
        `${site.url}/`,
        '--archive',
        archive,
        ...FAST,
        '--sitemap-limit',
        '120',
      ]);
      const report = run.json<Report>();
      expect(run.code).toBe(0);
      expect(new Set(site.asked.filter((path) => path.startsWith('/map-'))).size).toBeLessThanOrEqual(120);
      expect(report.skips['trap-sitemaps']).toBeGreaterThan(0);
      expect(report.notes.join()).toContain('crawler trap at 127.0.0.1');
      expect(run.stderr).toContain('crawler trap at 127.0.0.1');
    });
  });

  it('?layer=1 … without end beside a forum of 60 real threads => the maze is cut, the forum whole', async () => {
    const words = ['ash', 'birch', 'cedar', 'date', 'elm', 'fir', 'gum', 'hazel', 'ivy', 'juniper'];
    const title = (i: number): string => [...String(i)].map((digit) => words[Number(digit)]).join(' ');
    const site = await startSite((path) => {
      const url = new URL(path, 'http://a.example');
      if (url.pathname === '/') return page('Home', ['/maze?layer=1', '/thread?id=0']);
      const layer = Number(url.searchParams.get('layer'));
      if (url.pathname === '/maze')
        return page(
          'Maze',
          [1, 2, 3].map((n) => `/maze?layer=${layer + n}`),
          `Layer ${layer}`,
        );
      const id = Number(url.searchParams.get('id'));
      if (url.pathname !== '/thread' || id >= 60) return undefined;
      return page(`Thread ${title(id)}`, id < 59 ? [`/thread?id=${id + 1}`] : []);
    });
    await closing(site, async () => {
      const archive = await temporaryFolder();
      const run = await daguerre([
        'archive',
        `${site.url}/`,
        '--archive',
        archive,
        ...FAST,
        '--alike-limit',
        '20',
      ]);
      const report = run.json<Report>();
      expect(site.asked.filter((path) => path.startsWith('/thread'))).toHaveLength(60);
      const layers = site.asked.filter((path) => path.startsWith('/maze')).length;
      expect(layers).toBeGreaterThanOrEqual(20);
      expect(layers).toBeLessThanOrEqual(60);
      expect(report.skips['trap-alike-pages']).toBeGreaterThan(0);
      expect(run.stderr).toContain('alike but for numbers');
      expect(report.notes.join()).toContain('/maze?layer');
    });
  });

  it('Crawl-delay: 99999 => cut to --max-crawl-delay, told, kept with the crawl', async () => {
    const site = await startSite((path) => {
      if (path === '/robots.txt') return { body: 'User-agent: *\nCrawl-delay: 99999' };
      if (path === '/') return page('Home', ['/a', '/b']);
      return path === '/a' || path === '/b' ? page(path) : undefined;
    });
    await closing(site, async () => {
      const archive = await temporaryFolder();
      const command = ['archive', `${site.url}/`, '--archive', archive, ...FAST, '--max-crawl-delay', '50ms'];
      const run = await daguerre(command);
      const report = run.json<Report>();
      expect(report.captured).toBe(3);
      expect(report.notes).toEqual([
        `robots.txt of ${site.url} asks for a Crawl-delay of 99999 s: --max-crawl-delay keeps it at 0.05 s`,
      ]);
      expect(run.stderr).toContain('Crawl-delay of 99999 s');
      expect(await withCatalog(archive, (catalog) => catalog.notes(report.crawl))).toEqual(report.notes);
      // The log brings it back.
      await daguerre(['reindex', '--archive', archive]);
      expect(await withCatalog(archive, (catalog) => catalog.notes(report.crawl))).toEqual(report.notes);
    });
  });
});

describe('other rules while a crawl is not finished', () => {
  let site: SmallSite;
  let archive: string;
  let command: string[];
  beforeAll(async () => {
    site = await startSite((path) => {
      if (path === '/')
        return page(
          'Home',
          Array.from({ length: 40 }, (_, i) => (i % 2 ? `/keep/${i}` : `/drop/${i}`)),
        );
      return /^\/(keep|drop)\/\d+$/.test(path) ? { body: page(path), after: 20 } : undefined;
    });
    archive = await temporaryFolder();
    command = ['archive', `${site.url}/`, '--archive', archive, ...FAST];
    const running = spawnDaguerre(command);
    await site.seen(6);
    running.child.kill('SIGINT');
    await running.ended;
  });
  afterAll(() => site.close());

  it('the same seeds with an --exclude => a new crawl, and how many URLs are left behind where', async () => {
    const run = await daguerre([...command, '--exclude', '/drop/', '--page-limit', '1']);
    const report = run.json<Report>();
    expect(report.crawl).toBe(2);
    expect(run.stderr).toMatch(
      /crawl 1, begun .* with other settings, is left with \d+ URLs waiting: add --continue/,
    );
    expect(report.notes).toHaveLength(1);
  });

  it('--continue => the old frontier under the new rules: what they exclude is skipped, nothing is asked twice', async () => {
    const dropped = site.asked.filter((path) => path.startsWith('/drop/')).length;
    const run = await daguerre([...command, '--exclude', '/drop/', '--continue', '--page-limit', '1000']);
    const report = run.json<Report>();
    expect(run.code).toBe(0);
    expect(report).toMatchObject({ crawl: 1, pending: 0, skips: { excluded: 20 - dropped } });
    expect(run.stderr).toMatch(/crawl 1 goes on under other settings: \d+ URLs were waiting/);
    expect(site.asked.filter((path) => path.startsWith('/drop/'))).toHaveLength(dropped);
    const kept = site.asked.filter((path) => path.startsWith('/keep/'));
    expect(kept).toHaveLength(20);
    expect(new Set(kept).size).toBe(20);
    expect(await complaints(archive)).toEqual([]);
  });

  it('--continue with nothing to go on with => says so, exit code 2', async () => {
    const run = await daguerre([...command, '--continue', '--collection', 'other']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('no unfinished crawl of these seeds');
  });
});

describe('a site that stays as it is', () => {
  it('crawled again and again => each crawl adds less than 278 bytes per page to the catalog', async () => {
    const pages = 250;
    const site = await startSite((path) => {
      const number = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? pages);
      if (number >= pages) return undefined;
      const next = [1, 2, 3, 4].map((n) => number * 4 + n).filter((to) => to < pages);
      return page(
        `Page ${number}`,
        [...next.map((to) => `/page-${to}`), 'http://127.0.0.2:1/elsewhere'],
        'Words that stay. '.repeat(20),
      );
    });
    await closing(site, async () => {
      const archive = await temporaryFolder();
      const crawl = ['archive', `${site.url}/`, '--archive', archive, ...FAST];
      const sizes: number[] = [];
      for (let number = 1; number <= 5; number++) {
        const report = (await daguerre(crawl)).json<Report>();
        if (number > 1) expect(report).toMatchObject({ captured: 0, unchanged: pages });
        sizes.push((await stat(join(archive, 'catalog.sqlite'))).size);
      }
      const grown = sizes.slice(1).map((size, at) => (size - (sizes[at] ?? 0)) / pages);
      // With the first recrawl, pages are learnt from for the first time.
      const [first = 0, ...later] = grown;
      expect(first).toBeLessThan(350);
      // The file grows by whole pages of 4 KiB, 16 bytes for each of ours: the mean tells what a crawl adds.
      expect(later.reduce((sum, bytes) => sum + bytes, 0) / later.length).toBeLessThan(278);
      expect(await complaints(archive)).toEqual([]);
      const all = () =>
        withCatalog(archive, async (catalog) => ({
          captures: await collect(catalog.captures({ url: `${site.url}/page-7` })),
          patterns: await collect(catalog.pagePatterns({})),
        }));
      const before = await all();
      expect(before.patterns).toHaveLength(pages);
      expect(before.captures.map(({ type }) => type)).toEqual([
        'response',
        'revisit',
        'revisit',
        'revisit',
        'revisit',
      ]);
      expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
      expect(await all()).toEqual(before);
    });
  }, 400_000);
});
