import { afterEach, beforeEach, expect, it } from 'vitest';
import { EagerOpic } from '../../../test/science/eager-opic.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { archivedGraph } from '../../stages/settle-importance.ts';
import {
  batch,
  type CatalogPlace,
  capture,
  crawlWith,
  type NewPlace,
  SPEC,
  visited,
  visitOf,
} from './examples.conformance.ts';
import { cashIn, importancesOf, ledger, reading, url } from './importance-examples.conformance.ts';

export function settledImportance(newPlace: NewPlace): void {
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

  it('settled after a crawl, parts written in between => as when each page is visited and paid at once', async () => {
    const links = new Map(
      Array.from({ length: 300 }, (_, i) => [i + 1, [((i * 7) % 300) + 1, 301 + (i % 90)]]),
    );
    const visits = [...links].map(([page, to]) => reading(url(page), page, to.map(url)));
    const moved = visited(0, visitOf(url(5), { at: 900 }), {
      redirect: url(6),
      captures: [capture(url(5), 900)],
    });
    await catalog.commit(batch(crawlId, { visits: [...visits, moved] }));
    const eager = new EagerOpic(8);
    for (const [page, to] of links) eager.visit(page, to);
    eager.merge(5, 6);
    await catalog.settleBook({ rounds: 3, links: 1e6, parts: 1 });
    const numbers = await catalog.pageNumbers([...links.keys()].map(url));
    const order = [...eager.read].sort((a, b) => (numbers.get(url(a)) ?? 0) - (numbers.get(url(b)) ?? 0));
    for (let round = 0; round < 3; round++) {
      for (const page of order) eager.visit(page, links.get(page) ?? []);
      eager.release();
    }
    const found = await of(...[...eager.cash.keys()].map(url));
    expect(found.size).toBe(eager.cash.size);
    for (const page of eager.cash.keys())
      expect(found.get(url(page))?.importance).toBeCloseTo(eager.importance(page), 10);
    expect(await cash()).toBeCloseTo(1, 10);
  });

  it('more links than one end may hand cash along => each goes on where the last stopped', async () => {
    const some = (from: number) =>
      Array.from({ length: 300 }, (_, i) => reading(url(from + i), from + i, [url(from), url(1)]));
    for (const from of [1, 301, 601, 901]) await catalog.commit(batch(crawlId, { visits: some(from) }));
    const visits: number[] = [];
    for (let end = 0; end < 4; end++) {
      const { visits: before } = await catalog.bookFigures();
      await catalog.settleBook({ rounds: 6, links: 1, parts: 1000 });
      visits.push((await catalog.bookFigures()).visits - before);
    }
    expect(visits).toEqual([500, 500, 200, 500]);
    expect(await cash()).toBeCloseTo(1, 10);
  });

  it('asked to settle what is new => nothing where nobody was visited since the last round came to its end', async () => {
    const pages = Array.from({ length: 600 }, (_, i) => reading(url(i + 1), i, [url(1)]));
    expect(await catalog.settleNews()).toBe(false);
    await catalog.commit(batch(crawlId, { visits: pages }));
    expect(await catalog.settleNews({ rounds: 6, links: 1, parts: 1000 })).toBe(true);
    // The first end broke off in the middle of a round.
    expect(await catalog.settleNews({ rounds: 6, links: 1, parts: 1000 })).toBe(true);
    const { visits } = await catalog.bookFigures();
    expect(await catalog.settleNews()).toBe(false);
    expect((await catalog.bookFigures()).visits).toBe(visits);
    await catalog.commit(batch(crawlId, { visits: [reading(url(1), 900, [url(2)])] }));
    expect(await catalog.settleNews()).toBe(true);
  });

  it('two sites alike, read one after the other => the second is worth a third or more once it is settled', async () => {
    const site = (name: string): string[] =>
      Array.from({ length: 20 }, (_, i) => `https://${name}.example/${i}`);
    const [first, second] = [site('a'), site('b')];
    for (const pages of [first, second]) {
      const { id } = await catalog.createCrawl(pages[0] as string, SPEC, 1);
      const visits = pages.map((page, i) => reading(page, i, [pages[0] as string, pages[i + 1] ?? page]));
      await catalog.commit(batch(id, { visits }));
      await catalog.setCrawlState(id, 'finished', 50);
    }
    const share = async (): Promise<number> => {
      const found = await of(...first, ...second);
      const sum = (pages: readonly string[]) =>
        pages.reduce((total, page) => total + (found.get(page)?.importance ?? 0), 0);
      return sum(second) / (sum(first) + sum(second));
    };
    const { graph, placeOf } = await archivedGraph(catalog);
    const rank = pageRank(graph);
    const numbers = await catalog.pageNumbers([...first, ...second]);
    /** L1 distance to PageRank. */
    const error = async (): Promise<number> => {
      const found = await of(...numbers.keys());
      return [...numbers].reduce(
        (sum, [name, page]) =>
          sum + Math.abs((found.get(name)?.importance ?? 0) - (rank[placeOf(page)] as number)),
        0,
      );
    };
    const before = await error();
    expect(await share()).toBeLessThan(0.25);
    await catalog.settleBook();
    // How far depends on the order of the pages, which engines number as they come.
    expect(await share()).toBeGreaterThan(1 / 3);
    expect(await error()).toBeLessThan(before / 2);
  });
}
