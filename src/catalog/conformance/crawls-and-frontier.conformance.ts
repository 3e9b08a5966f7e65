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

  it('a skip of a URL in the frontier => ignored; of a new one => a stored fact', async () => {
    const { crawlId } = await crawlWith(catalog(), [entry(A)]);
    const skips = [
      skipOf(A),
      skipOf(B, { via: A }),
      skipOf(B, { reason: 'depth' }),
      skipOf(C, { reason: 'depth' }),
    ];
    await catalog().commit(batch(crawlId, { skips }));
    await (await reopen()).commit(batch(crawlId, { skips }));
    expect(await catalog().skips({ crawlId })).toEqual([
      skipOf(B, { via: A }),
      skipOf(C, { reason: 'depth' }),
    ]);
    expect(await catalog().skips({ crawlId, reason: 'depth' })).toHaveLength(1);
    expect(await catalog().skips({ crawlId, limit: 1 })).toHaveLength(1);
    expect(await catalog().tally(crawlId)).toMatchObject({
      pending: 1,
      skipped: 2,
      skips: { 'out-of-scope': 1, depth: 1 },
    });
  });

  it('a thousand URLs skipped by one rule, in each of two crawls => two counts, forty URLs, no rows of the frontier', async () => {
    const skips = Array.from({ length: 1_000 }, (_, i) =>
      skipOf(`https://other.example/${i}`, { rule: 'another host', detail: `other.example, not ours: ${i}` }),
    );
    for (const key of ['first', 'second']) {
      const { id: crawlId } = await catalog().createCrawl(key, SPEC, 1);
      await catalog().commit(batch(crawlId, { skips: skips.slice(0, 600) }));
      await (await reopen()).commit(batch(crawlId, { skips }));
      expect(await catalog().tally(crawlId)).toMatchObject({
        skipped: 1_000,
        skips: { 'out-of-scope': 1_000 },
      });
      const rules = await catalog().skipRules({ crawlId });
      expect(rules).toMatchObject([{ reason: 'out-of-scope', rule: 'another host', entries: 1_000 }]);
      expect(rules[0]?.sample.map(({ detail }) => detail).toSorted()).toEqual(
        skips
          .slice(0, 20)
          .map(({ detail }) => detail)
          .toSorted(),
      );
      expect(await all(catalog().frontierLog(crawlId))).toEqual([]);
    }
  });

  it('details without end => the rules of a reason stay bounded, the count is whole', async () => {
    const { id: crawlId } = await catalog().createCrawl('key', SPEC, 1);
    const skips = Array.from({ length: 500 }, (_, i) =>
      skipOf(`https://other.example/${i}`, { reason: 'trap-calendar', detail: `dates of shape ${i}` }),
    );
    await catalog().commit(batch(crawlId, { skips: skips.slice(0, 300) }));
    await catalog().commit(batch(crawlId, { skips: skips.slice(300) }));
    const rules = await catalog().skipRules({ crawlId });
    expect(rules).toHaveLength(201);
    expect(rules.reduce((sum, { entries }) => sum + entries, 0)).toBe(500);
  });

  it('skipped where it was found, then discovered by another road => pending, with the new road', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    await catalog().commit(batch(crawlId, { skips: [skipOf(A), skipOf(B)] }));
    const { enqueued } = await catalog().commit(batch(crawlId, { discovered: [entry(A, { depth: 7 })] }));
    expect(enqueued).toMatchObject([{ url: A, depth: 7, attempts: 0 }]);
    const again = await (await reopen()).commit(batch(crawlId, { discovered: [entry(A), entry(B)] }));
    expect(again.enqueued.map(({ url }) => url)).toEqual([B]);
    expect(await catalog().tally(crawlId)).toMatchObject({ pending: 2, skipped: 0, skips: {} });
  });

  it('discovered and skipped in one batch => pending', async () => {
    const { crawlId } = await crawlWith(catalog(), []);
    await catalog().commit(batch(crawlId, { discovered: [entry(A)], skips: [skipOf(A)] }));
    expect(await catalog().tally(crawlId)).toMatchObject({ pending: 1, skipped: 0 });
  });

  it('denied => skipped, and stays so when it is discovered again', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B)]);
    const denials = [{ entryId: ids.get(A) ?? 0, reason: 'robots', detail: 'Disallow: /a' } as const];
    await catalog().commit(batch(crawlId, { denials }));
    const again = await (await reopen()).commit(batch(crawlId, { denials, discovered: [entry(A)] }));
    expect(again.enqueued).toEqual([]);
    expect(await catalog().skips({ crawlId })).toEqual([
      { url: A, reason: 'robots', detail: 'Disallow: /a', depth: 1 },
    ]);
  });

  it('a denied resource, sitemap and page => all three counted as skipped', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [
      entry(A),
      entry(B, { kind: 'resource' }),
      entry(C, { kind: 'sitemap' }),
    ]);
    const denials = [A, B, C].map(
      (url) => ({ entryId: ids.get(url) ?? 0, reason: 'robots', detail: 'Disallow: /' }) as const,
    );
    await catalog().commit(batch(crawlId, { denials }));
    expect(await catalog().tally(crawlId)).toMatchObject({
      skipped: 3,
      pending: 0,
      skips: { robots: 3 },
      resources: { captured: 0, unchanged: 0, failed: 0 },
      revisits: { captured: 0, unchanged: 0, failed: 0 },
    });
    expect(await catalog().skips({ crawlId, reason: 'robots' })).toHaveLength(3);
  });

  it('skipPending => all that waits is skipped for good; what is settled stays', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A), entry(B), entry(C, { kind: 'resource' })]);
    await catalog().commit(batch(crawlId, { visits: [visited(ids.get(A) ?? 0, visitOf(A))] }));
    expect(await catalog().skipPending(crawlId, 'page-limit', '1 page')).toBe(2);
    expect(await catalog().skipPending(crawlId, 'page-limit', '1 page')).toBe(0);
    expect((await (await reopen()).commit(batch(crawlId, { discovered: [entry(B)] }))).enqueued).toEqual([]);
    expect(await catalog().tally(crawlId)).toMatchObject({
      captured: 1,
      skipped: 2,
      pending: 0,
      skips: { 'page-limit': 2 },
    });
    expect(await catalog().pending(crawlId, HOST, 9)).toEqual([]);
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
