import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { EagerOpic } from '../../../test/science/eager-opic.ts';
import type { Catalog, PageImportance } from '../../ports/catalog.ts';
import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import { CashBook } from '../../science/importance/cash-book.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { archivedGraph, settleImportance } from '../../stages/settle-importance.ts';
import {
  all,
  batch,
  type CatalogPlace,
  capture,
  crawlWith,
  type NewPlace,
  pageOf,
  visited,
  visitOf,
} from './examples.conformance.ts';

const ledger: ImportanceLedger = { open: (stored) => new CashBook(stored) };
const url = (page: number): string => `https://example.org/${page}`;
const A = url(1);
const [B, C] = [url(2), url(3)];

/** What was read of a page, as a crawl tells it. */
const reading = (from: string, at: number, links: readonly string[]) =>
  visited(0, visitOf(from, { at }), { page: pageOf(from, at, { links }), captures: [capture(from, at)] });

export function importanceOfPages(newPlace: NewPlace): void {
  let place: CatalogPlace;
  let catalog: Catalog;
  let crawlId: number;

  beforeEach(async () => {
    place = await newPlace();
    catalog = await place.open({ ledger });
    crawlId = (await crawlWith(catalog, [])).crawlId;
  });
  afterEach(async () => {
    await catalog.close();
    await place.remove();
  });

  const of = async (...urls: string[]): Promise<Map<string, PageImportance>> =>
    new Map((await all(catalog.importances({ urls }))).map((page) => [page.url, page]));
  const cash = async (): Promise<number> => {
    const { virtualCash } = await catalog.bookFigures();
    return (await all(catalog.bookPages())).reduce((sum, page) => sum + page.cash, virtualCash);
  };

  it('nothing read => no page, and all cash with the virtual page', async () => {
    expect(await catalog.bookFigures()).toMatchObject({ pages: 0, visits: 0, virtualCash: 1, bound: 2 });
    expect(await of(A)).toEqual(new Map());
  });

  it('visits in several commits, a restart, and the end of a crawl => as when each page is paid at once', async () => {
    const random = randomNumbers(21);
    const eager = new EagerOpic(8);
    const links = Array.from({ length: 40 }, () =>
      Array.from({ length: 6 }, () => 1 + Math.floor(200 * random() ** 2)),
    );
    for (let step = 0; step < 20; step++) {
      const pages = Array.from({ length: 5 }, () => Math.floor(random() * links.length) + 1);
      const visits = pages.map((page, i) =>
        reading(url(page), step * 10 + i, (links[page - 1] ?? []).map(url)),
      );
      await catalog.commit(batch(crawlId, { visits }));
      for (const page of pages) eager.visit(page, links[page - 1] ?? []);
      if (step === 8) {
        await catalog.close();
        catalog = await place.open({ ledger });
      }
      if (step % 7 === 6) {
        await catalog.setCrawlState(crawlId, 'finished', step);
        eager.release();
      }
    }
    const found = await of(...[...eager.cash.keys()].map(url));
    expect(found.size).toBe(eager.cash.size);
    for (const page of eager.cash.keys()) {
      expect(found.get(url(page))?.importance).toBeCloseTo(eager.importance(page), 12);
      expect(found.get(url(page))?.cash).toBeCloseTo(eager.cash.get(page) ?? 0, 12);
    }
    expect(await cash()).toBeCloseTo(1, 12);
    const site = await all(catalog.importances({ site: 'example.org' }));
    expect(site.map(({ url: name }) => name).sort()).toEqual([...eager.read].map(url).sort());
  });

  it('a visit that saw nothing new => the stored links hand its cash on; one of a resource, or a failed one => nothing', async () => {
    await catalog.commit(batch(crawlId, { visits: [reading(A, 1, [B, C])] }));
    const before = await of(A, B, C);
    const unchanged = visited(0, visitOf(A, { at: 2, outcome: 'unchanged' }));
    await catalog.commit(
      batch(crawlId, {
        visits: [
          unchanged,
          visited(0, visitOf('https://example.org/a.png', { at: 2 })),
          visited(0, visitOf(A, { at: 3, outcome: 'failed' })),
        ],
      }),
    );
    expect(await catalog.bookFigures()).toMatchObject({ visits: 2, pages: 3, read: 1 });
    const after = await of(A, B, C);
    expect(after.get(A)?.history).toBeGreaterThan(before.get(A)?.history ?? 1);
    expect(after.get(B)?.cash).toBeCloseTo((before.get(B)?.cash ?? 0) + 0.85 / 3 / 2 + 0.05 / 3, 12);
  });

  it('a redirect => one page with what it leads to, on-line and in the graph; read as a page later => its own', async () => {
    const led = visited(0, visitOf(B, { at: 2 }), { redirect: C, captures: [capture(B, 2)] });
    await catalog.commit(batch(crawlId, { visits: [reading(A, 1, [B]), led, reading(C, 3, [A])] }));
    expect((await of(B)).get(C)).toMatchObject({ isRead: true });
    expect(await catalog.bookFigures()).toMatchObject({ pages: 2, read: 2 });
    expect(await all(catalog.redirects())).toHaveLength(1);
    expect((await archivedGraph(catalog)).graph).toMatchObject({ pages: 2 });
    await catalog.commit(batch(crawlId, { visits: [reading(B, 4, [])] }));
    expect((await of(B)).get(B)).toMatchObject({ isRead: true });
    expect(await all(catalog.redirects())).toEqual([]);
    expect((await archivedGraph(catalog)).graph).toMatchObject({ pages: 3 });
  });

  it('a commit that fails => nothing of it in the book', async () => {
    await catalog.commit(batch(crawlId, { visits: [reading(A, 1, [B])] }));
    const before = await catalog.bookFigures();
    const broken = { ...reading(B, 2, [C]), settlement: null as never };
    await expect(catalog.commit(batch(crawlId, { visits: [broken] }))).rejects.toThrow();
    expect(await catalog.bookFigures()).toEqual(before);
    expect(await of(C)).toEqual(new Map());
  });

  it('cleared and settled from the links => PageRank of the graph, with cash that adds up to 1', async () => {
    const pages = [
      pageOf(A, 1, { links: [B, C] }),
      pageOf(B, 2, { links: [A] }),
      pageOf(C, 3, { links: [A, url(9)] }),
    ];
    await catalog.index({ captures: [], pages, fileLengths: new Map() });
    await settleImportance(catalog);
    const { graph, placeOf } = await archivedGraph(catalog);
    const rank = pageRank(graph);
    const numbers = await catalog.pageNumbers([A, B, C, url(9), 'https://example.org/none']);
    expect(numbers.size).toBe(4);
    const found = await of(...numbers.keys());
    for (const [name, page] of numbers)
      expect(found.get(name)?.importance).toBeCloseTo(rank[placeOf(page)] as number, 9);
    expect(await cash()).toBeCloseTo(1, 9);
    expect(await catalog.urlsOfPages([...numbers.values()])).toEqual(
      new Map([...numbers].map(([name, page]) => [page, name])),
    );
    await catalog.clearDerived();
    expect(await catalog.bookFigures()).toMatchObject({ pages: 0 });
  });

  it('the records of a page are lost => it is a page that others link to', async () => {
    const at = capture(A, 1);
    const lost = capture(B, 2, { file: 'b.warc.gz' });
    await catalog.commit(
      batch(crawlId, {
        visits: [
          visited(0, visitOf(A), { page: pageOf(A, 1, { links: [B] }), captures: [at] }),
          visited(0, visitOf(B), { page: pageOf(B, 2, { links: [A] }), captures: [lost] }),
        ],
      }),
    );
    await catalog.giveUpTail('b.warc.gz', 0);
    expect((await of(B)).get(B)).toMatchObject({ isRead: false });
    expect(await catalog.bookFigures()).toMatchObject({ pages: 2, read: 1 });
    expect(await cash()).toBeCloseTo(1, 12);
  });

  it('more crawls than releases are kept of => the book is swept, and says the same', async () => {
    await catalog.commit(batch(crawlId, { visits: [reading(A, 1, [B, C])] }));
    const eager = new EagerOpic(8);
    eager.visit(1, [2, 3]);
    for (let end = 0; end < 300; end++) {
      await catalog.setCrawlState(crawlId, 'finished', end);
      eager.release();
    }
    const found = await of(A, B);
    expect(found.get(A)?.importance).toBeCloseTo(eager.importance(1), 10);
    expect(found.get(B)?.importance).toBeCloseTo(eager.importance(2), 10);
    expect(await cash()).toBeCloseTo(1, 12);
  });

  it('opened without a ledger => nothing is kept, and whoever asks is told', async () => {
    await catalog.close();
    catalog = await place.open();
    await catalog.commit(batch(crawlId, { visits: [reading(A, 1, [B])] }));
    await expect(catalog.bookFigures()).rejects.toThrow('without a ledger');
    await catalog.close();
    catalog = await place.open({ ledger });
    expect(await catalog.bookFigures()).toMatchObject({ pages: 0 });
  });
}
