import { expect, it } from 'vitest';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, crawlWith, entry, SPEC, skipOf, visited, visitOf } from './examples.conformance.ts';

const A = 'https://example.org/a';
const B = 'https://example.org/b';
const C = 'https://example.org/c';
const HOST = 'example.org';

/** What is not fetched, and why. */
export function skipsAndDenials(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
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
}
