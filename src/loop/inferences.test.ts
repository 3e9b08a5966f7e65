import { afterEach, describe, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT, type WebAnswer } from '../../test/crawl-rig.ts';
import { batch } from '../catalog/conformance/examples.conformance.ts';
import type { CrawlSpec } from '../model/crawl.ts';
import { Decisions } from '../model/decisions.ts';
import type { InferredDirectory } from '../model/inference.ts';
import { siteOrder } from '../science/policy/site-order.ts';
import { seedEntries } from '../stages/known-pages.ts';

/** Which version of the site is served. */
let version = 0;
/** A page that nothing links to. */
let hidden: string | undefined;
let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const steady = Array.from({ length: 6 }, (_, i) => `/steady/${i}`);
const lively = Array.from({ length: 4 }, (_, i) => `/news/${i}`);
const text = (words: string, ...links: string[]): WebAnswer => ({
  body: `${linking(...links).body}<p>${words}</p>`,
});

/** `/steady/` never changes, `/news/` at each version; a page of `/far/`, which changes too, is linked from `/steady/0` alone. */
const web: Record<string, WebAnswer | ((times: number) => WebAnswer)> = {
  '/': () =>
    text(
      `front ${version}`,
      ...steady.filter((path) => path !== hidden),
      ...lively,
      ...(version > 20 ? ['/steady/new'] : []),
    ),
  ...Object.fromEntries(lively.map((path) => [path, () => text(`${path} ${version}`)])),
  ...Object.fromEntries(steady.map((path) => [path, text(path)])),
  '/steady/0': text('steady', '/far/page'),
  '/steady/new': text('new'),
  '/far/page': () => text(`far ${version}`),
};

const RULES = { missAtMost: 0.2, refreshEvery: 4, pin: [] };

async function grown(versions: number): Promise<CrawlRig> {
  const site = await crawlRig(web);
  for (version = 1; version <= versions; version++) {
    await site.crawl();
    await site.clock.sleep(86_400_000);
  }
  site.asked.length = 0;
  return site;
}

const skipping = (changes: Partial<NonNullable<CrawlSpec['skipByRules']>> = {}) => ({
  spec: { skipByRules: { ...RULES, ...changes } },
});
const paths = ({ asked }: CrawlRig): string[] =>
  asked.map(([path]) => path).filter((path) => path !== '/robots.txt');

describe('a crawl with skipByRules', () => {
  test('a page that nobody met for as long as a directory may be left out => visited, though its directory is left out', async () => {
    rig = await grown(12);
    hidden = '/steady/5';
    for (; version <= 16; version++) {
      await rig.crawl();
      await rig.clock.sleep(86_400_000);
    }
    hidden = undefined;
    rig.asked.length = 0;
    await rig.crawl(skipping());
    expect(paths(rig)).toContain('/steady/5');
    const [kept] = await rig.catalog.inferences({ crawlId: 17 });
    expect(kept?.urls).toEqual(steady.slice(0, 5).map((path) => ROOT + path));
    expect(kept?.lastSeen).toBeGreaterThan(rig.clock.now() - 2 * 86_400_000);
  });

  test('12 versions => the steady directory is left as archived, and a page only it links to is visited', async () => {
    rig = await grown(12);
    const { state, capture } = await rig.crawl(skipping());
    expect(state).toBe('finished');
    expect(paths(rig).toSorted()).toEqual(['/', '/far/page', ...lively]);
    const [kept, ...more] = await rig.catalog.inferences({ crawlId: 13 });
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ directory: '/steady/', state: 'inferred', reason: 'quiet' });
    expect(kept?.urls).toEqual(steady.map((path) => ROOT + path));
    const [inferred] = capture.unvisited?.inferred ?? [];
    expect(inferred?.pages).toHaveLength(6);
    expect(rig.notes.join()).toContain('6 pages in one directory keep their archived version');
  });

  test('fewer than 10 versions => everything is visited, and it says why', async () => {
    rig = await grown(9);
    await rig.crawl(skipping());
    expect(paths(rig)).toHaveLength(12);
    expect(rig.notes).toEqual([
      '--skip-by-rules skips nothing on example.org: 9 versions are archived, and rules act from 10 on',
    ]);
  });

  test('a new page in a directory that is left out => visited', async () => {
    rig = await grown(12);
    version = 21;
    await rig.crawl(skipping());
    expect(paths(rig)).toContain('/steady/new');
    expect(paths(rig)).not.toContain('/steady/1');
  });

  test('pinned => visited', async () => {
    rig = await grown(12);
    await rig.crawl(skipping({ pin: ['/steady/[12]$'] }));
    expect(paths(rig).filter((path) => path.startsWith('/steady'))).toEqual(['/steady/1', '/steady/2']);
    const [kept] = await rig.catalog.inferences({ crawlId: 13 });
    expect(kept?.urls).toHaveLength(4);
  });

  test('pinned or never skipped by a person => visited', async () => {
    rig = await grown(12);
    const decided = (path: string, kind: 'pin' | 'never-skip', at: number) =>
      ({ id: path, target: `https://example.org${path}`, act: { kind }, by: 'a', why: 'b', at }) as const;
    const decisions = new Decisions([decided('/steady/1', 'pin', 1), decided('/steady/2', 'never-skip', 2)]);
    await rig.crawl({ ...skipping(), decisions });
    expect(paths(rig).filter((path) => path.startsWith('/steady'))).toEqual(['/steady/1', '/steady/2']);
  });

  test('refreshEvery 3 => visited again in the third crawl at the latest', async () => {
    rig = await grown(12);
    const visits: number[] = [];
    for (let crawl = 0; crawl < 6; crawl++) {
      rig.asked.length = 0;
      await rig.crawl(skipping({ refreshEvery: 3 }));
      visits.push(paths(rig).filter((path) => path.startsWith('/steady/')).length);
      await rig.clock.sleep(86_400_000);
      version++;
    }
    expect(visits).toEqual([0, 0, 6, 0, 0, 6]);
  });

  test('a sitemap names pages before the plan is made => they leave the queue uncounted', async () => {
    rig = await grown(12);
    const sitemap = `<?xml version="1.0"?><urlset>${steady.map((path) => `<url><loc>${ROOT}${path}</loc></url>`).join('')}</urlset>`;
    const named = {
      ...web,
      '/robots.txt': { body: `Sitemap: ${ROOT}/map.xml`, headers: [['Content-Type', 'text/plain']] },
      '/map.xml': { body: sitemap, headers: [['Content-Type', 'application/xml']] },
    } as typeof web;
    Object.assign(web, named);
    try {
      const { tally } = await rig.crawl({
        spec: {
          ...skipping().spec,
          sitemaps: true,
          politeness: {
            ...(await rig.catalog.crawls())[0]?.spec.politeness,
            robots: true,
          } as CrawlSpec['politeness'],
        },
      });
      expect(paths(rig)).toContain('/map.xml');
      expect(paths(rig).filter((path) => path.startsWith('/steady'))).toEqual([]);
      expect(tally).toMatchObject({ skipped: 0, pending: 0 });
    } finally {
      delete web['/robots.txt'];
      delete web['/map.xml'];
    }
  });

  test('held back by rules, then the crawl is resumed => left out where the head changed, visited after all where it did not', async () => {
    rig = await grown(12);
    const { catalog, clock } = rig;
    const [first] = await catalog.crawls();
    if (!first) throw new Error('no crawl');
    const spec = { ...first.spec, skipByRules: RULES };
    const crawl = await catalog.createCrawl('held', spec, clock.now());
    const held = (directory: string, head: string, paths: readonly string[]): InferredDirectory => ({
      site: 'example.org',
      directory,
      reason: 'near',
      rule: `when ${head} changes, ${directory} does not`,
      assumes: { head: [head], alpha: 0.5 },
      expectedMissed: 0.1,
      confidence: 0.9,
      lastSeen: clock.now(),
      state: 'held',
      urls: paths.map((path) => ROOT + path),
    });
    const seeds = seedEntries(spec.seeds, siteOrder(spec.order), { known: 0, rateOf: () => 0 }, clock.now());
    const inferred = [held('/steady/', '/news/', steady), held('/far/', '/steady/', ['/far/page'])];
    await catalog.commit(batch(crawl.id, { discovered: seeds, inferred }));
    await rig.crawl({ resume: crawl });
    expect(paths(rig)).toEqual(['/', ...lively, '/far/page']);
    const settled = await catalog.inferences({ crawlId: crawl.id });
    expect(settled.map(({ directory, state }) => [directory, state])).toEqual([
      ['/steady/', 'inferred'],
      ['/far/', 'visited'],
    ]);
    expect(rig.notes.join()).toContain('visited after all');
  });
});
