import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { GraphGatherer } from './archived-graph.ts';
import { CashBook } from './cash-book.ts';
import { linkGraph, linksOf } from './link-graph.ts';
import { pageRank } from './page-rank.ts';
import { settledBook } from './settled-book.ts';

const gathered = (rows: readonly (readonly [number, readonly number[]])[]): GraphGatherer => {
  const gatherer = new GraphGatherer();
  for (const [page, links] of rows) gatherer.add(page, links);
  return gatherer;
};

function opened(settled: ReturnType<typeof settledBook>): CashBook {
  const book = new CashBook(settled.stored);
  for (const [part, bytes] of settled.parts) book.put(part, bytes);
  return book;
}

describe('GraphGatherer', () => {
  it('links through redirects, to oneself, twice, to pages nobody read => the graph of what they lead to', () => {
    const { graph, numbers, isRead, placeOf } = gathered([
      [3, [70, 3, 9, 9]],
      [5, [3]],
      [70, [5, 200]],
    ]).finish(
      [3, 5, 70],
      new Map([
        [9, 8],
        [8, 5],
      ]),
    );
    expect([...numbers]).toEqual([3, 5, 70, 200]);
    expect([...isRead]).toEqual([1, 1, 1, 0]);
    expect([0, 1, 2, 3].map((page) => [...linksOf(graph, page)])).toEqual([[1, 2], [0], [1, 3], []]);
    expect([placeOf(9), placeOf(8), placeOf(200), placeOf(4), placeOf(999)]).toEqual([1, 1, 3, -1, -1]);
  });

  it('a page that leads on though it was read before => its own links are left out', () => {
    const { graph, numbers } = gathered([
      [1, [2]],
      [2, [1, 3]],
    ]).finish([1, 2], new Map([[2, 4]]));
    expect([...numbers]).toEqual([1, 3, 4]);
    expect([0, 1, 2].map((page) => [...linksOf(graph, page)])).toEqual([[2], [], []]);
  });

  it('redirects in a circle => each leads to the same one', () => {
    const { placeOf, numbers } = gathered([[1, [2, 3]]]).finish(
      [1],
      new Map([
        [2, 3],
        [3, 2],
      ]),
    );
    expect(numbers).toHaveLength(2);
    expect(placeOf(2)).toBe(placeOf(3));
  });

  it('pages out of order => refused; nothing => an empty graph', () => {
    expect(() =>
      gathered([
        [2, []],
        [1, []],
      ]),
    ).toThrow('page 1 comes after 2');
    expect(gathered([]).finish([], new Map()).graph.pages).toBe(0);
  });
});

describe('settledBook', () => {
  it('any links => importance is PageRank, cash adds up to 1, and a round of visits moves nothing', () => {
    const random = randomNumbers(8);
    const read = Array.from({ length: 150 }, (_, i) => 10 + i * 3);
    const rows = read.map((page): [number, number[]] => [
      page,
      Array.from({ length: 1 + Math.floor(random() * 8) }, () => 10 + Math.floor(600 * random() ** 2)),
    ]);
    const redirects = new Map([
      [1_000, 10],
      [11, 12],
    ]);
    const archived = gathered(rows).finish(read, redirects);
    const book = opened(settledBook(archived));
    const rank = pageRank(archived.graph);
    archived.numbers.forEach((number, page) => {
      expect(book.page(number)?.importance).toBeCloseTo(rank[page] as number, 9);
      expect(book.page(number)?.isRead).toBe(archived.isRead[page] === 1);
    });
    expect(book.page(1_000)?.page).toBe(10);
    const cash = (): number =>
      [...archived.numbers].reduce(
        (sum, number) => sum + (book.page(number)?.cash ?? 0),
        book.figures.virtualCash,
      );
    expect(cash()).toBeCloseTo(1, 9);
    const before = book.figures;
    for (const [page, links] of rows) book.visit(page, links);
    book.release();
    expect(cash()).toBeCloseTo(1, 9);
    expect(book.figures).toMatchObject({ pages: before.pages, read: before.read });
    const moved = [...archived.numbers].reduce(
      (sum, number, page) => sum + Math.abs((book.page(number)?.importance ?? 0) - (rank[page] as number)),
      0,
    );
    expect(moved).toBeLessThan(book.figures.bound / 4);
  });

  it('the same links => the same bytes', () => {
    const archived = () =>
      gathered([
        [1, [2, 90]],
        [2, [1]],
      ]).finish([1, 2], new Map());
    const [one, two] = [settledBook(archived()), settledBook(archived())];
    expect(one.stored).toEqual(two.stored);
    expect([...one.parts]).toEqual([...two.parts]);
  });

  it('relevance => jumps lead there; no page => an empty book', () => {
    const archived = gathered([
      [1, [2]],
      [2, [1]],
      [3, [1]],
    ]).finish([1, 2, 3], new Map());
    const book = opened(settledBook(archived, new Float32Array([1, 1, 0])));
    expect(book.page(3)?.importance).toBe(0);
    const rank = pageRank(linkGraph(3, [0, 1, 2], [1, 0, 0]), { relevance: [1, 1, 0] });
    expect(book.page(1)?.importance).toBeCloseTo(rank[0] as number, 9);
    expect(opened(settledBook(gathered([]).finish([], new Map()))).figures).toMatchObject({
      pages: 0,
      bound: 2,
      virtualCash: 1,
    });
  });
});
