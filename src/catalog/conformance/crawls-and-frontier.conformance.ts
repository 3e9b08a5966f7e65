import { expect, it } from 'vitest';
import type { Catalog } from '../../ports/catalog.ts';
import {
  all,
  batch,
  capture,
  crawlWith,
  entry,
  SPEC,
  skipOf,
  visited,
  visitOf,
} from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://example.org/b';
const C = 'https://example.org/c';
const HOST = 'example.org';

export function crawlsAndFrontier(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  it('createCrawl => its spec comes back whole, limits without end included', async () => {
    const crawl = await catalog().createCrawl('key', SPEC, 42);
    expect(crawl).toEqual({ id: crawl.id, key: 'key', state: 'running', startedAt: 42, spec: SPEC });
    expect(await (await reopen()).crawls()).toEqual([crawl]);
  });

  it('hasCrawl => by key and the time it began', async () => {
    await catalog().createCrawl('key', SPEC, 5);
    const has = (key: string, at: number) => catalog().hasCrawl(key, at);
    expect(await Promise.all([has('key', 5), has('key', 6), has('other', 5)])).toEqual([true, false, false]);
  });

  it('unfinishedCrawl => the newest with the key that is not finished', async () => {
    const first = await catalog().createCrawl('key', SPEC, 1);
    const second = await catalog().createCrawl('key', SPEC, 2);
    await catalog().createCrawl('other', SPEC, 3);
    expect((await catalog().unfinishedCrawl('key'))?.id).toBe(second.id);
    await catalog().setCrawlState(second.id, 'finished', 9);
    await catalog().setCrawlState(first.id, 'stopped', 9);
    expect(await catalog().unfinishedCrawl('key')).toMatchObject({ id: first.id, state: 'stopped' });
    expect(await catalog().unfinishedCrawl('none')).toBeUndefined();
    expect((await catalog().crawls())[1]).toMatchObject({ state: 'finished', finishedAt: 9 });
  });

  it('openCrawl => a new one, then the same, until it is finished', async () => {
    const { crawl, isNew } = await catalog().openCrawl('key', SPEC, 1);
    expect(isNew).toBe(true);
    expect(await catalog().openCrawl('key', SPEC, 2)).toEqual({ crawl, isNew: false });
    await catalog().setCrawlState(crawl.id, 'finished', 9);
    expect(await catalog().openCrawl('key', SPEC, 10)).toMatchObject({
      isNew: true,
      crawl: { startedAt: 10 },
    });
  });

  it('a crawl that is half restored => nobody is told of it, and the next attempt forgets what it left', async () => {
    const skip = { url: 'https://b.org/', reason: 'out-of-scope', detail: 'elsewhere', depth: 1 } as const;
    const attempt = async (url: string): Promise<number> => {
      const id = await catalog().beginRestoring('key', SPEC, 42);
      const { enqueued } = await catalog().commit(batch(id, { discovered: [entry(url)], skips: [skip] }));
      expect(enqueued).toHaveLength(1);
      await catalog().commit(batch(id, { visits: [visited(enqueued[0]?.id ?? 0, visitOf(url))] }));
      await catalog().commit(batch(id, { notes: [`restored ${url}`] }));
      return id;
    };
    await attempt('https://example.org/a');
    expect(await (await reopen()).crawls()).toEqual([]);
    expect(await catalog().unfinishedCrawl('key')).toBeUndefined();
    const id = await attempt('https://example.org/a');
    await catalog().setCrawlState(id, 'finished', 99);
    const [crawl, ...others] = await catalog().crawls();
    expect([crawl?.id, crawl?.state, others]).toEqual([id, 'finished', []]);
    expect(await catalog().tally(id)).toMatchObject({ captured: 1, skipped: 1, pending: 0, bytes: 100 });
    expect(await catalog().notes(id)).toEqual(['restored https://example.org/a']);
    expect(await catalog().visits({ url: 'https://example.org/a' })).toHaveLength(1);
  });

  it('setCrawlState of a crawl that is not there => an error that names it', async () => {
    await expect(catalog().setCrawlState(77, 'finished', 1)).rejects.toThrow('no crawl 77');
  });

  it('discovered => enqueued once, with ids; pending lowest rank first, ties by discovery', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    const discovered = [
      entry(C, { rank: 2 }),
      entry(A, { rank: 1.5, via: B }),
      entry(B, { rank: 2 }),
      entry(C),
    ];
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered }));
    expect(enqueued.map(({ url }) => url)).toEqual([C, A, B]);
    expect((await catalog().commit(batch(crawlId, { discovered }))).enqueued).toEqual([]);
    const reopened = await reopen();
    expect((await reopened.commit(batch(crawlId, { discovered }))).enqueued).toEqual([]);
    const waiting = await reopened.pending(crawlId, HOST, 10);
    expect(waiting.map(({ url }) => url)).toEqual([A, C, B]);
    expect(waiting[0]).toEqual({
      ...entry(A, { rank: 1.5, via: B }),
      id: enqueued[1]?.id,
      attempts: 0,
      notBefore: 0,
    });
    expect(waiting[0]).toEqual(enqueued[1]);
  });

  it('pending => within limit, only of that host and crawl', async () => {
    const others = [entry('https://other.org/', { host: 'other.org' })];
    const { crawlId } = await crawlWith(catalog(), [entry(A), entry(B), entry(C), ...others]);
    const second = await crawlWith(catalog(), [entry(A)]);
    const urls = async (id: number, host: string, limit: number) =>
      (await catalog().pending(id, host, limit)).map(({ url }) => url);
    expect(await urls(crawlId, HOST, 2)).toEqual([A, B]);
    expect(await urls(crawlId, HOST, 9)).toEqual([A, B, C]);
    expect(await urls(crawlId, 'other.org', 9)).toEqual(['https://other.org/']);
    expect(await urls(crawlId, 'nobody.org', 9)).toEqual([]);
    expect(await urls(second.crawlId, HOST, 9)).toEqual([A]);
  });

  it('captured, unchanged, failed close; deferred waits and counts its attempts', async () => {
    const d = 'https://example.org/d';
    const { crawlId, ids } = await crawlWith(
      catalog(),
      [A, B, C, d].map((url) => entry(url)),
    );
    const id = (url: string) => ids.get(url) ?? 0;
    const fault = { kind: 'timeout', detail: 'no answer' } as const;
    await catalog().commit(
      batch(crawlId, {
        visits: [
          visited(id(A), visitOf(A, { status: 200, eventId: 'e' })),
          visited(id(B), visitOf(B, { outcome: 'unchanged', bytes: 0 })),
          visited(id(C), visitOf(C, { outcome: 'failed', fault })),
          visited(id(d), visitOf(d, { outcome: 'deferred', fault })),
        ],
      }),
    );
    expect(await catalog().pending(crawlId, HOST, 9)).toMatchObject([
      { url: d, attempts: 1, notBefore: 61_000 },
    ]);
    const counts = {
      captured: 1,
      new: 1,
      changed: 0,
      unchanged: 1,
      redirects: 0,
      gone: 0,
      failed: 1,
      pending: 1,
      resources: { captured: 0, unchanged: 0, failed: 0 },
      failures: { timeout: 1 },
    };
    expect(await (await reopen()).tally(crawlId)).toEqual({
      ...counts,
      skipped: 0,
      revisits: { captured: 0, unchanged: 0, failed: 0 },
      bytes: 300,
      skips: {},
      sites: [{ site: HOST, ...counts }],
    });
  });

  it('the same commit twice => counted once', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B)]);
    const twice = batch(crawlId, {
      visits: [
        visited(ids.get(A) ?? 0, visitOf(A), { captures: [capture(A, 1_000)] }),
        visited(ids.get(B) ?? 0, visitOf(B, { outcome: 'deferred' })),
      ],
    });
    await catalog().commit(twice);
    await catalog().commit(twice);
    await (await reopen()).commit(twice);
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 1, pending: 1, bytes: 200 });
    expect(await catalog().pending(crawlId, HOST, 9)).toMatchObject([{ attempts: 1 }]);
    expect(await catalog().visits({ crawlId })).toHaveLength(2);
    expect(await all(catalog().captures({}))).toHaveLength(1);
  });

  it('deferred, then captured in the same batch => captured; what comes after does not count', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A)]);
    const id = ids.get(A) ?? 0;
    const visits = [
      visited(id, visitOf(A, { at: 1, outcome: 'deferred' })),
      visited(id, visitOf(A, { at: 2 })),
      visited(id, visitOf(A, { at: 3, outcome: 'failed' })),
    ];
    await catalog().commit(batch(crawlId, { visits }));
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 1, failed: 0, pending: 0, bytes: 200 });
    expect((await catalog().visits({ url: A })).map(({ at }) => at)).toEqual([2, 1]);
  });

  it('a settlement of another crawl’s entry => leaves it pending', async () => {
    const first = await crawlWith(catalog(), [entry(A)]);
    const second = await crawlWith(catalog(), [entry(A)]);
    const visits = [visited(first.ids.get(A) ?? 0, visitOf(A))];
    await catalog().commit(batch(second.crawlId, { visits }));
    expect(await catalog().tally(first.crawlId)).toMatchObject({ pending: 1, captured: 0 });
  });

  it('resources and sitemaps => counted apart from pages', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [
      entry(A),
      entry(B, { kind: 'resource' }),
      entry(C, { kind: 'sitemap' }),
    ]);
    const visits = [
      visited(ids.get(B) ?? 0, visitOf(B)),
      visited(ids.get(C) ?? 0, visitOf(C, { outcome: 'failed', fault: { kind: 'timeout', detail: '' } })),
    ];
    await catalog().commit(batch(crawlId, { visits }));
    expect(await catalog().tally(crawlId)).toMatchObject({
      captured: 0,
      pending: 1,
      failed: 0,
      failures: {},
      resources: { captured: 1, unchanged: 0, failed: 1 },
    });
  });

  it('frontierUrls => pending and settled, seeds marked, skips left out', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A, { isSeed: true }), entry(B)]);
    await catalog().commit(
      batch(crawlId, { visits: [visited(ids.get(A) ?? 0, visitOf(A))], skips: [skipOf(C)] }),
    );
    const urls = await all(catalog().frontierUrls(crawlId));
    expect(urls.toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
      { url: A, kind: 'page', isSeed: true },
      { url: B, kind: 'page', isSeed: false },
    ]);
  });

  it('visits => newest first, by crawl, URL and outcome, all fields kept', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B)]);
    const full = visitOf(A, {
      at: 5,
      status: 503,
      outcome: 'deferred',
      eventId: 'event',
      fault: { kind: 'server-busy', detail: 'Retry-After: 5' },
    });
    const visits = [visited(ids.get(A) ?? 0, full), visited(ids.get(B) ?? 0, visitOf(B, { at: 6 }))];
    await catalog().commit(batch(crawlId, { visits }));
    expect(await catalog().visits({})).toEqual([visitOf(B, { at: 6 }), full]);
    expect(await catalog().visits({ url: A })).toEqual([full]);
    expect(await catalog().visits({ crawlId, outcome: 'captured' })).toEqual([visitOf(B, { at: 6 })]);
    expect(await catalog().visits({ limit: 1 })).toHaveLength(1);
    expect(await catalog().visits({ crawlId: crawlId + 1 })).toEqual([]);
  });
}
