import { expect, it } from 'vitest';
import type { Catalog } from '../../ports/catalog.ts';
import {
  all,
  batch,
  capture,
  crawlWith,
  digest,
  entry,
  pageOf,
  visited,
  visitOf,
} from './examples.conformance.ts';

const HOST = 'example.org';
const [A, B, C] = ['a', 'b', 'c'].map((page) => `https://${HOST}/${page}`) as [string, string, string];

const visitTo = (
  id: number,
  url: string,
  at: number,
  event: string,
  more: { status?: number; same?: boolean } = {},
) => ({
  ...visited(
    id,
    visitOf(url, {
      at,
      eventId: event,
      status: more.status ?? 200,
      outcome: more.same ? 'unchanged' : 'captured',
    }),
  ),
  captures: [capture(url, at, { eventId: event, digest: digest(more.same ? url : event) })],
  page: pageOf(url, at),
});

/** Two passes over the pages of a crawl, and what later crawls learn from it. */
export function twoPasses(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  it('pending entries by band, from an offset => those, by rank and id', async () => {
    const ranks = [5, 1, -1e12, 3, 1, 1e15];
    const { crawlId } = await crawlWith(
      catalog(),
      ranks.map((rank, i) =>
        entry(`https://${HOST}/${i}`, { rank, depth: i % 2, ...(i < 2 && { rate: 0.25 }) }),
      ),
    );
    const after = await reopen();
    const found = await after.pending(crawlId, HOST, 2, { from: -1e11, to: 1e15, offset: 1 });
    expect(found.map(({ url, rank }) => [url.at(-1), rank])).toEqual([
      ['4', 1],
      ['3', 3],
    ]);
    expect((await after.pending(crawlId, HOST, 9, { from: 1e15 })).map(({ rank }) => rank)).toEqual([1e15]);
    expect((await after.pending(crawlId, HOST, 9)).map(({ rate }) => rate)).toEqual([
      undefined,
      0.25,
      undefined,
      undefined,
      0.25,
      undefined,
    ]);
    const counts = await after.hostCounts(crawlId);
    const waiting = (band: string): number =>
      counts
        .filter((one) => one.band === band && one.isPending)
        .reduce((sum, { entries }) => sum + entries, 0);
    expect([waiting('at-once'), waiting('pages'), waiting('reserve')]).toEqual([1, 4, 1]);
  });

  it('a page visited and revisited => both answers, one entry each, and the tally of pages as it was', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A, { rate: 0.5 }), entry(B), entry(C)]);
    const id = (url: string): number => ids.get(url) ?? 0;
    await catalog().commit(
      batch(crawlId, {
        visits: [
          visitTo(id(A), A, 1000, 'e1'),
          visitTo(id(B), B, 2000, 'e2'),
          // A redirect is no page to be revisited.
          visitTo(id(C), C, 3000, 'e3', { status: 301 }),
        ],
      }),
    );
    const unplanned = await catalog().unplannedRevisits(crawlId, HOST);
    expect(unplanned).toMatchObject([
      { url: A, rate: 0.5, at: 1000, pass: 0, sha256: digest('e1').sha256 },
      { url: B, rate: 0, at: 2000 },
    ]);
    const { enqueued } = await catalog().commit(
      batch(crawlId, { discovered: [entry(A, { kind: 'revisit', rank: 0, rate: 0.5 })] }),
    );
    const again = await catalog().commit(
      batch(crawlId, { discovered: [entry(A, { kind: 'revisit', rank: 9 })] }),
    );
    expect(again.enqueued).toEqual([]);
    expect((await catalog().unplannedRevisits(crawlId, HOST)).map(({ url }) => url)).toEqual([B]);
    expect(await catalog().tally(crawlId)).toMatchObject({ captured: 2, redirects: 1, pending: 1 });

    await catalog().commit(batch(crawlId, { visits: [visitTo(enqueued[0]?.id ?? 0, A, 4000, 'e4')] }));
    const after = await reopen();
    expect(
      (await all(after.answeredVisits(crawlId))).map(({ url, pass, at, sha256 }) => [url, pass, at, sha256]),
    ).toEqual([
      [A, 0, 1000, digest('e1').sha256],
      [A, 1, 4000, digest('e4').sha256],
      [B, 0, 2000, digest('e2').sha256],
    ]);
    expect(await after.tally(crawlId)).toMatchObject({
      captured: 2,
      redirects: 1,
      pending: 0,
      revisits: { captured: 1, unchanged: 0, failed: 0 },
    });
    const log = await all(after.frontierLog(crawlId));
    expect(log.map(({ url, kind, visits }) => [url, kind, visits.map(({ at }) => at)])).toEqual([
      [A, 'page', [1000]],
      [B, 'page', [2000]],
      [C, 'page', [3000]],
      [A, 'revisit', [4000]],
    ]);
  });

  it('the record of a revisit is lost => the revisit is due again, the visit is not', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A)]);
    await catalog().commit(batch(crawlId, { visits: [visitTo(ids.get(A) ?? 0, A, 1000, 'e1')] }));
    const { enqueued } = await catalog().commit(
      batch(crawlId, { discovered: [entry(A, { kind: 'revisit' })] }),
    );
    const second = visitTo(enqueued[0]?.id ?? 0, A, 4000, 'e4');
    const [fact] = second.captures;
    if (!fact) throw new Error('no capture');
    await catalog().commit(batch(crawlId, { visits: [{ ...second, captures: [{ ...fact, offset: 1e9 }] }] }));
    await catalog().forgetTail(fact.file, 1e9);
    expect(await (await reopen()).pending(crawlId, HOST, 9)).toMatchObject([{ url: A, kind: 'revisit' }]);
  });

  it('histories of a site => its pages with their payloads over time; not redirects, nor other sites', async () => {
    const other = 'https://other.org/';
    const seen = (url: string, at: number, payload: string, more = {}) =>
      capture(url, at, { digest: digest(payload), ...more });
    await catalog().index({
      captures: [
        seen(A, 3, 'two', { etag: '"2"' }),
        seen(A, 1, 'one'),
        seen(A, 2, 'one', { type: 'revisit' }),
        seen(B, 1, 'b', { status: 301 }),
        seen(other, 1, 'o'),
      ],
      pages: [pageOf(A, 1), pageOf(B, 1), pageOf(other, 1)],
      fileLengths: new Map(),
    });
    const visits = [
      { at: 1, sha256: digest('one').sha256 },
      { at: 2, sha256: digest('one').sha256 },
      { at: 3, sha256: digest('two').sha256 },
    ];
    expect(await all(catalog().pageHistories(HOST))).toMatchObject([{ url: A, etag: '"2"', visits }]);
    expect(await all(catalog().pageHistories('nobody.org'))).toEqual([]);
  });

  it('an entry that nothing led to, linked by a page => found from there, once; not a seed', async () => {
    const { crawlId, ids } = await crawlWith(catalog(), [entry(A, { isSeed: true }), entry(B), entry(C)]);
    const id = (url: string): number => ids.get(url) ?? 0;
    const visit = (url: string, at: number, linked: readonly string[]) => ({
      ...visitTo(id(url), url, at, `e${at}`),
      linked,
    });
    await catalog().commit(batch(crawlId, { visits: [visit(A, 1000, [B, A])] }));
    await catalog().commit(batch(crawlId, { visits: [visit(B, 2000, []), visit(C, 3000, [B])] }));
    const log = await all((await reopen()).frontierLog(crawlId));
    expect(log.map(({ url, via }) => [url, via])).toEqual([
      [A, undefined],
      [B, A],
      [C, undefined],
    ]);
  });

  it('pages of the last crawl => of the newest finished one that had any there', async () => {
    const first = await crawlWith(catalog(), [entry(A, { depth: 2 }), entry(B)]);
    await catalog().commit(batch(first.crawlId, { visits: [visitTo(first.ids.get(A) ?? 0, A, 1000, 'e1')] }));
    const before = (): Promise<readonly unknown[]> => all(catalog().pagesOfLastCrawl(HOST));
    expect(await before()).toEqual([]);
    await catalog().setCrawlState(first.crawlId, 'finished', 2000);
    const [crawl] = await catalog().crawls();
    const crawledAt = crawl?.startedAt;
    expect(await before()).toMatchObject([{ url: A, depth: 2, extraHops: 0, crawledAt }]);
    expect(await all(catalog().pagesOfLastCrawl('nobody.org'))).toEqual([]);
  });
}
