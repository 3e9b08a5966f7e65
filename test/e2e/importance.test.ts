import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/catalog/open.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import { CashBook } from '../../src/science/importance/cash-book.ts';
import { linksOf } from '../../src/science/importance/link-graph.ts';
import { pageRank } from '../../src/science/importance/page-rank.ts';
import { archivedGraph } from '../../src/stages/settle-importance.ts';
import { randomNumbers } from '../random-numbers.ts';
import { daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

const PAGES = 120;
/** At the end of a crawl each page is visited so often along its stored links. */
const SETTLED = 6;

/** Each page links to the first three, to three below it, to another site and to an address that redirects to page 7. */
const site = (path: string) => {
  if (path === '/moved') return { status: 301, headers: { location: '/p7' }, body: '' };
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  const children = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
  const links = [0, 1, 2, ...children].map((child) => (child === 0 ? '/' : `/p${child}`));
  const far = `http://127.0.0.2:9/${number % 10}`;
  return { body: page(`Page ${number}`, [...links, far, '/moved', path]), after: 3 + ((number * 7) % 9) };
};

async function withBook<T>(archive: string, work: (catalog: Catalog) => Promise<T>): Promise<T> {
  const catalog = await openCatalog(join(archive, 'catalog.sqlite'), {
    readonly: true,
    ledger: { open: (stored) => new CashBook(stored) },
  });
  try {
    return await work(catalog);
  } finally {
    await catalog.close();
  }
}

async function cashOf(catalog: Catalog): Promise<number> {
  let sum = (await catalog.bookFigures()).virtualCash;
  for await (const { cash } of catalog.bookPages()) sum += cash;
  return sum;
}

/** |XL − X|₁ and |X − PageRank|₁ over the graph of the archive. */
async function errors(catalog: Catalog) {
  const { graph, placeOf } = await archivedGraph(catalog);
  const x = new Float64Array(graph.pages);
  for await (const { page: number, importance } of catalog.bookPages()) x[placeOf(number)] = importance;
  const next = new Float64Array(graph.pages);
  let jumping = 0;
  x.forEach((mine, at) => {
    const links = linksOf(graph, at);
    for (const target of links) next[target] = (next[target] as number) + (0.85 * mine) / links.length;
    jumping += links.length === 0 ? mine : 0.15 * mine;
  });
  const rank = pageRank(graph);
  const l1 = (a: Float64Array, b: (at: number) => number): number =>
    a.reduce((sum, value, at) => sum + Math.abs(value - b(at)), 0);
  return {
    pages: graph.pages,
    sum: x.reduce((all, one) => all + one, 0),
    moved: l1(x, (at) => (next[at] as number) + jumping / graph.pages),
    fromRank: l1(x, (at) => rank[at] as number),
  };
}

describe('importance', () => {
  it('kill -9 at eight moments, then to the end, again and again, then rebuilt => cash is 1, the bound holds', {
    timeout: 240_000,
  }, async () => {
    const random = randomNumbers(17);
    const server = await startSite(site);
    const archive = await temporaryFolder();
    const command = ['archive', `${server.url}/`, '--archive', archive, ...FAST, '--per-host', '4'];
    try {
      for (let kill = 0; kill < 8; kill++) {
        const running = spawnDaguerre(command);
        const before = server.asked.length;
        await Promise.race([server.seen(before + 2 + Math.floor(random() * 9)), running.ended]);
        await new Promise((resolve) => setTimeout(resolve, random() * 12));
        running.child.kill('SIGKILL');
        await running.ended;
        await withBook(archive, async (catalog) => {
          expect(await cashOf(catalog)).toBeCloseTo(1, 12);
          const committed = (await catalog.visits({ crawlId: 1, outcome: 'captured' })).filter(
            ({ url, status }) => status === 200 && !url.endsWith('/robots.txt'),
          );
          expect(await catalog.bookFigures()).toMatchObject({
            visits: committed.length,
            read: new Set(committed.map(({ url }) => url)).size,
          });
        });
      }
      expect((await daguerre(command)).json()).toMatchObject({ state: 'finished' });
      const first = await withBook(archive, async (catalog) => {
        const { bound, visits, read, pages } = await catalog.bookFigures();
        // Ten addresses of the other site; the one that redirects is page 7.
        expect({ visits, read, pages }).toEqual({
          visits: (1 + SETTLED) * PAGES,
          read: PAGES,
          pages: PAGES + 10,
        });
        const found = await errors(catalog);
        expect(found.pages).toBe(pages);
        expect(found.sum).toBeCloseTo(1, 9);
        expect(found.moved).toBeLessThanOrEqual(bound);
        return found;
      });
      // Nothing changed on the site: each page is a visit all the same.
      for (let again = 0; again < 3; again++)
        expect((await daguerre(command)).json()).toMatchObject({ state: 'finished' });
      await withBook(archive, async (catalog) => {
        const { bound, visits } = await catalog.bookFigures();
        expect(visits).toBe(4 * (1 + SETTLED) * PAGES);
        const found = await errors(catalog);
        expect(found.moved).toBeLessThanOrEqual(bound);
        // Settled from the first end on: what is left is what the window forgets.
        expect(Math.max(first.fromRank, found.fromRank)).toBeLessThan(0.05);
        expect(await cashOf(catalog)).toBeCloseTo(1, 12);
      });
      expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
      await withBook(archive, async (catalog) => {
        const found = await errors(catalog);
        expect(found.pages).toBe(PAGES + 10);
        expect(found.fromRank).toBeLessThan(1e-8);
        expect(await cashOf(catalog)).toBeCloseTo(1, 9);
      });
    } finally {
      await server.close();
    }
  });
});
