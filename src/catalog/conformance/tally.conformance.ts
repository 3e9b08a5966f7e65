import { expect, it } from 'vitest';
import type { PageResult } from '../../model/crawl.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { batch, capture, entry, SPEC, skipOf, visited, visitOf } from './examples.conformance.ts';

const ONE = 'https://one.example';
const TWO = 'https://www.two.example';

/** What the second crawl finds, at 2000; the first had been there at 1000. */
const SECOND: readonly {
  readonly url: string;
  readonly before?: number;
  readonly now: number;
  readonly outcome: 'captured' | 'unchanged' | 'failed';
  readonly is: PageResult;
  readonly impaired?: true;
}[] = [
  { url: `${ONE}/`, before: 200, now: 304, outcome: 'unchanged', is: 'unchanged' },
  { url: `${ONE}/news`, before: 200, now: 200, outcome: 'captured', is: 'changed', impaired: true },
  { url: `${ONE}/fresh`, now: 200, outcome: 'captured', is: 'new' },
  { url: `${ONE}/moved`, before: 301, now: 301, outcome: 'captured', is: 'redirect' },
  { url: `${ONE}/settled`, before: 301, now: 200, outcome: 'captured', is: 'new' },
  { url: `${ONE}/withdrawn`, before: 200, now: 404, outcome: 'failed', is: 'gone' },
  { url: `${ONE}/never`, before: 404, now: 404, outcome: 'failed', is: 'failed' },
  { url: `${TWO}/`, before: 200, now: 500, outcome: 'failed', is: 'failed' },
  { url: `${TWO}/old`, before: 200, now: 410, outcome: 'failed', is: 'gone' },
];

/** Numbers of a report, and the lists behind them. */
export function tallies(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  async function secondCrawl(): Promise<number> {
    const host = (url: string): string => new URL(url).host;
    const seen = SECOND.flatMap(({ url, before }) =>
      before ? [capture(url, 1_000, { status: before })] : [],
    );
    await catalog().index({ captures: seen, pages: [], fileLengths: new Map() });
    const { id } = await catalog().createCrawl('key', SPEC, 1_500);
    const image = `${ONE}/logo.png`;
    const { enqueued } = await catalog().commit(
      batch(id, {
        discovered: [
          ...SECOND.map(({ url }) => entry(url, { host: host(url) })),
          entry(image, { kind: 'resource', host: 'one.example' }),
          entry(`${TWO}/waits`, { host: host(TWO) }),
        ],
        skips: [skipOf('https://elsewhere.example/')],
      }),
    );
    const ids = new Map(enqueued.map((one) => [one.url, one.id]));
    const visits = SECOND.map(({ url, now, outcome, impaired }) =>
      visited(
        ids.get(url) ?? 0,
        visitOf(url, {
          at: 2_000,
          outcome,
          status: now,
          ...(outcome === 'failed' && { fault: { kind: 'http-status', detail: String(now) } as const }),
          ...(impaired && { fault: { kind: 'page-cut', detail: 'texts are cut' } as const }),
        }),
        { captures: [capture(url, 2_000, { status: now })] },
      ),
    );
    const broken = visitOf(image, { at: 2_000, outcome: 'failed', fault: { kind: 'timeout', detail: '' } });
    await catalog().commit(batch(id, { visits: [...visits, visited(ids.get(image) ?? 0, broken)] }));
    return id;
  }

  it('a second crawl => each page in one count; redirects and pages that are gone are no captures, no failures', async () => {
    const crawlId = await secondCrawl();
    expect(await (await reopen()).tally(crawlId)).toMatchObject({
      captured: 3,
      new: 2,
      changed: 1,
      unchanged: 1,
      redirects: 1,
      gone: 2,
      failed: 2,
      failures: { 'http-status': 2 },
      pending: 1,
      skipped: 1,
      resources: { captured: 0, unchanged: 0, failed: 1 },
    });
  });

  it('several crawls at once => each as by itself; one that is not there => nothing', async () => {
    const one = await secondCrawl();
    const { id: other } = await catalog().createCrawl('other', SPEC, 2_500);
    await catalog().commit(
      batch(other, {
        discovered: [entry(`${TWO}/later`, { host: 'www.two.example' })],
        skips: [skipOf('https://far.example/')],
      }),
    );
    const tallies = await catalog().tallies([one, other, 4_711]);
    expect(tallies.get(one)).toEqual(await catalog().tally(one));
    expect(tallies.get(other)).toMatchObject({ pending: 1, skipped: 1, captured: 0 });
    expect(tallies.get(4_711)).toMatchObject({ pending: 0, captured: 0, sites: [] });
    expect(await catalog().tallies([])).toEqual(new Map());
  });

  it('two sites => each with its own counts, the larger first', async () => {
    const { sites } = await catalog().tally(await secondCrawl());
    expect(sites).toMatchObject([
      { site: 'one.example', captured: 3, gone: 1, failed: 1, pending: 0, resources: { failed: 1 } },
      { site: 'two.example', captured: 0, gone: 1, failed: 1, pending: 1, resources: { failed: 0 } },
    ]);
  });

  it('the list behind each number => as long as the number says', async () => {
    const crawlId = await secondCrawl();
    for (const result of ['new', 'changed', 'unchanged', 'redirect', 'gone', 'failed'] as const) {
      const urls = (await catalog().settledVisits({ crawlId, result })).map(({ url }) => url);
      const expected = SECOND.filter(({ is }) => is === result).map(({ url }) => url);
      expect(urls.toSorted()).toEqual(expected.toSorted());
    }
    const list = (more: object) => catalog().settledVisits({ crawlId, result: 'failed', ...more });
    expect((await list({ site: 'two.example' })).map(({ url }) => url)).toEqual([`${TWO}/`]);
    expect((await list({ kind: 'resource' })).map(({ url }) => url)).toEqual([`${ONE}/logo.png`]);
    expect(await list({ limit: 1, offset: 1 })).toHaveLength(1);
  });

  it('resources of other hosts => count for the site whose pages embed them, folded or not', async () => {
    const [cdn, host] = ['https://cdn.example', 'cdn.example'];
    const embedded = (url: string, via: string, more: object = {}) =>
      entry(url, { kind: 'resource', host, via, ...more });
    const found = [
      embedded(`${cdn}/a.css`, `${ONE}/`),
      embedded(`${cdn}/a.woff2`, `${cdn}/a.css`),
      embedded(`${cdn}/lost.png`, `${cdn}/a.css`, { kind: 'lost' }),
      embedded(`${cdn}/b.js`, `${TWO}/`),
      embedded(`${ONE}/shared.png`, `${TWO}/`, { host: 'one.example' }),
      entry(`${cdn}/sitemap.xml`, { kind: 'sitemap', host }),
    ];
    const { id: crawlId } = await catalog().createCrawl('key', SPEC, 1);
    const pages = [entry(`${ONE}/`, { host: 'one.example' }), entry(`${TWO}/`, { host: 'www.two.example' })];
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered: [...pages, ...found] }));
    const visits = enqueued.map(({ id, url }, i) => {
      const fault = { kind: 'timeout', detail: '' } as const;
      const isLost = url.endsWith('lost.png');
      const cut = { fault: { kind: 'page-cut', detail: '' } } as const;
      return visited(
        id,
        visitOf(url, {
          at: 10 + i,
          outcome: isLost ? 'failed' : 'captured',
          ...(isLost && { fault }),
          ...(url.endsWith('b.js') && cut),
        }),
      );
    });
    await catalog().commit(batch(crawlId, { visits }));
    const told = async () => {
      const { sites, resources } = await catalog().tally(crawlId);
      const listed = async (site: string, result: 'captured' | 'failed') =>
        (await catalog().settledVisits({ crawlId, kind: 'resource', result, site })).map(({ url }) => url);
      return {
        resources,
        sites: sites.map((one) => [one.site, one.new, one.resources, one.impaired]),
        one: await listed('one.example', 'captured'),
        failed: await listed('one.example', 'failed'),
        two: await listed('two.example', 'captured'),
        cdn: await listed(host, 'captured'),
      };
    };
    const expected = {
      resources: { captured: 5, unchanged: 0, failed: 1, lost: 1 },
      sites: [
        ['one.example', 1, { captured: 2, unchanged: 0, failed: 1, lost: 1 }, undefined],
        ['two.example', 1, { captured: 2, unchanged: 0, failed: 0 }, { 'page-cut': 1 }],
        [host, 0, { captured: 1, unchanged: 0, failed: 0 }, undefined],
      ],
      one: [`${cdn}/a.woff2`, `${cdn}/a.css`],
      failed: [`${cdn}/lost.png`],
      two: [`${ONE}/shared.png`, `${cdn}/b.js`],
      cdn: [`${cdn}/sitemap.xml`],
    };
    expect(await told()).toEqual(expected);
    await catalog().setCrawlState(crawlId, 'finished', 99);
    await reopen();
    expect(await told()).toEqual(expected);
    await catalog().setCrawlState(crawlId, 'running', 100);
    expect(await told()).toEqual(expected);
  });

  it('a page that was captured, but not whole => counted by what went wrong, and listed; failures are not', async () => {
    const crawlId = await secondCrawl();
    expect((await catalog().tally(crawlId)).impaired).toEqual({ 'page-cut': 1 });
    const listed = (more: object) => catalog().visits({ crawlId, impaired: true, ...more });
    const found = { url: `${ONE}/news`, fault: { kind: 'page-cut', detail: 'texts are cut' } };
    expect(await listed({})).toMatchObject([found]);
    expect(await catalog().visits({ impaired: true, url: `${ONE}/news` })).toMatchObject([found]);
    expect(await listed({ offset: 1 })).toEqual([]);
  });

  it('a page that the same crawl stored before its visit, in a frame => new', async () => {
    const { id } = await catalog().createCrawl('key', SPEC, 1_500);
    await catalog().index({ captures: [capture(`${ONE}/`, 1_600)], pages: [], fileLengths: new Map() });
    const { enqueued } = await catalog().commit(batch(id, { discovered: [entry(`${ONE}/`)] }));
    const visits = [visited(enqueued[0]?.id ?? 0, visitOf(`${ONE}/`, { at: 2_000, status: 200 }))];
    await catalog().commit(batch(id, { visits }));
    expect(await catalog().tally(id)).toMatchObject({ captured: 1, new: 1, changed: 0 });
  });
}
