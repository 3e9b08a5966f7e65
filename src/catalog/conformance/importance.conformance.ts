import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { EagerOpic } from '../../../test/science/eager-opic.ts';
import type { Catalog } from '../../ports/catalog.ts';
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
  SPEC,
  visited,
  visitOf,
} from './examples.conformance.ts';
import { cashIn, importancesOf, ledger, reading, url } from './importance-examples.conformance.ts';

const A = url(1);
const [B, C] = [url(2), url(3)];

const CITY = {
  ...{ name: 'city', prior: 0, languages: {}, domains: {}, countries: {}, owners: {}, topics: [] },
  ...{ commercial: 0, connectivity: [], threshold: 0.5, in: [], out: [] },
};

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

  const of = (...urls: string[]) => importancesOf(catalog, urls);
  const cash = () => cashIn(catalog);

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

  it('relevances of a commit => jumps pay by them from then on; settled for a perimeter => PageRank by chances', async () => {
    const perimeter = (chance: number) => ({
      ...{ perimeter: 'city', inside: chance >= 0.5, chance, own: 0, evidence: [], links: [], hops: 0 },
    });
    const { id } = await catalog.createCrawl(
      'city',
      { ...SPEC, perimeter: { ...CITY, importance: 'perimeter' } },
      1,
    );
    const read = (from: string, at: number, links: readonly string[], chance: number) =>
      visited(0, visitOf(from, { at }), {
        page: pageOf(from, at, { links, perimeter: perimeter(chance) }),
        captures: [capture(from, at)],
      });
    const visits = [read(A, 1, [B, C], 0.75), read(B, 2, [A], 0.25)];
    const suspects = [{ ...perimeter(0.5), url: C, at: 2 }];
    const relevances = [
      { url: A, relevance: 0.75 },
      { url: B, relevance: 0.25 },
      { url: C, relevance: 0.5 },
    ];
    await catalog.commit(batch(id, { visits, suspects, relevances }));
    const before = await of(A, B, C);
    // Told of a suspect alone: no visit, and nothing of the cash is lost.
    await catalog.commit(batch(id, { suspects, relevances: [{ url: C, relevance: 0.25 }] }));
    expect(await cash()).toBeCloseTo(1, 12);
    await catalog.commit(batch(id, { visits: [read(A, 3, [B, C], 0.75)] }));
    const after = await of(A, B, C);
    const handed = before.get(A)?.cash ?? 0;
    const jumps = 0.15 * handed;
    expect((after.get(C)?.cash ?? 0) - (before.get(C)?.cash ?? 0)).toBeCloseTo(
      (0.85 * handed) / 2 + jumps * (0.25 / 1.25),
      12,
    );
    expect(after.get(A)?.cash).toBeCloseTo(jumps * (0.75 / 1.25), 12);
    await settleImportance(catalog);
    const { graph, placeOf } = await archivedGraph(catalog);
    const numbers = await catalog.pageNumbers([A, B, C]);
    const relevance = new Float64Array(3);
    for (const [name, chance] of [
      [A, 0.75],
      [B, 0.25],
      [C, 0.5],
    ] as const)
      relevance[placeOf(numbers.get(name) as number)] = chance;
    const rank = pageRank(graph, { relevance });
    for (const [name, page] of await of(A, B, C))
      expect(page.importance).toBeCloseTo(rank[placeOf(numbers.get(name) as number)] as number, 9);
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
    await catalog.settleBook();
    await expect(catalog.bookFigures()).rejects.toThrow('without a ledger');
    await catalog.close();
    catalog = await place.open({ ledger });
    expect(await catalog.bookFigures()).toMatchObject({ pages: 0 });
  });
}
