import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { EagerOpic } from '../../../test/science/eager-opic.ts';
import { randomGraph } from '../../../test/science/random-graph.ts';
import { PART_PAGES, readPart } from './book-part.ts';
import { CashBook } from './cash-book.ts';
import { linkGraph, linksOf } from './link-graph.ts';
import { pageRank } from './page-rank.ts';
import { relevanceOfChance } from './teleport.ts';

/** A book whose parts are kept in a map, as in a catalog between two commits. */
class KeptBook {
  readonly parts = new Map<number, Uint8Array>();
  stored: { totals?: string; releases?: string } = {};
  readonly window: number;

  constructor(window: number) {
    this.window = window;
  }

  work(pages: Iterable<number>, work: (book: CashBook) => void): void {
    const book = this.open(pages);
    work(book);
    this.keep(book);
  }

  open(pages: Iterable<number>): CashBook {
    const book = new CashBook(this.stored, { window: this.window });
    const all = [...pages];
    for (let missing = book.missing(all); missing.length > 0; missing = book.missing(all))
      for (const part of missing) book.put(part, this.parts.get(part));
    return book;
  }

  keep(book: CashBook): void {
    for (const [part, bytes] of book.takeChanges()) this.parts.set(part, bytes);
    this.stored = book.stored();
  }

  sweep(): void {
    const book = new CashBook(this.stored, { window: this.window });
    const { part, end } = book.sweep();
    for (const [number, bytes] of this.parts) this.parts.set(number, part(bytes));
    end();
    this.stored = book.stored();
  }
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

/** Ids far apart, so that pages fall into several parts. */
const idOf = (page: number): number => page * 37 + 5;

describe('CashBook', () => {
  it('visits, redirects, relevance, releases and sweeps at random => as when every page is paid at once', () => {
    const random = randomNumbers(11);
    for (let run = 0; run < 20; run++) {
      const pages = 5 + Math.floor(random() * 60);
      const graph = randomGraph(random, pages);
      const kept = new KeptBook(4);
      const eager = new EagerOpic(4);
      const any = (): number => idOf(Math.floor(random() * pages));
      for (let step = 0; step < 300; step++) {
        const what = random();
        if (what < 0.85) {
          const page = Math.floor((pages / 2) * random());
          const links = [...linksOf(graph, page)].map(idOf);
          kept.work([idOf(page), ...links], (book) => book.visit(idOf(page), links));
          eager.visit(idOf(page), links);
        } else if (what < 0.88) {
          const [from, to] = [any(), any()];
          kept.work([from, to], (book) => book.merge(from, to));
          eager.merge(from, to);
        } else if (what < 0.94) {
          const [page, relevance] = [any(), random() * 3];
          // The merged page is looked up by the relevance of its target.
          kept.work([page], (book) => book.setRelevance(page, relevance));
          eager.setRelevance(page, relevance);
        } else if (what < 0.98) {
          kept.work(step % 2 === 0 ? [] : [any()], (book) => book.release());
          eager.release();
        } else kept.sweep();
      }
      const ids = Array.from({ length: pages }, (_, page) => idOf(page));
      const book = kept.open(ids);
      for (const id of eager.cash.keys()) {
        expect(book.page(id)?.cash).toBeCloseTo(eager.cash.get(id) ?? 0, 11);
        expect(book.page(id)?.importance).toBeCloseTo(eager.importance(id), 11);
        expect(book.page(id)?.isRead).toBe(eager.read.has(id));
      }
      const { figures } = book;
      expect(figures.pages).toBe(eager.cash.size);
      expect(figures.read).toBe(eager.read.size);
      expect(figures.total).toBeCloseTo(eager.handedOn / eager.weight, 9);
      const held = sum([...eager.cash.keys()].map((id) => book.page(id)?.cash ?? 0));
      expect(held + figures.virtualCash).toBeCloseTo(1, 11);
    }
  });

  it.each([
    ['all alike', false],
    ['by relevance', true],
  ])(
    '%s: forty rounds over a graph, some pages never read => |XL − X| within 2 ÷ G, and close to power iteration',
    (_, byRelevance) => {
      const random = randomNumbers(3);
      const graph = randomGraph(random, 400);
      // Pages past 250 are linked to and never read: they link nowhere.
      const links = (page: number): number[] => (page < 250 ? [...linksOf(graph, page)] : []);
      const kept = new KeptBook(8);
      const everything = Array.from({ length: 400 }, (_, page) => page);
      const worth = everything.map(() => (byRelevance ? Math.fround(relevanceOfChance(random())) : 1));
      for (let round = 0; round < 40; round++) {
        kept.work(everything, (book) => {
          for (let page = 0; page < 250; page++) book.visit(page, links(page));
          if (byRelevance && round === 0)
            for (const page of everything)
              if (book.page(page)) book.setRelevance(page, worth[page] as number);
          book.release();
        });
      }
      const book = kept.open(everything);
      const known = everything.filter((page) => book.page(page) !== undefined);
      const x = new Map(known.map((page) => [page, book.page(page)?.importance ?? 0]));
      expect(sum(x.values())).toBeCloseTo(1, 9);
      // One step of the chain over the pages: what the virtual page gets goes to all, in proportion to their worth.
      const allWorth = sum(known.map((page) => worth[page] as number));
      const paid = (page: number): number => (worth[page] as number) / allWorth;
      const next = new Map(known.map((page) => [page, 0]));
      let jumping = 0;
      for (const page of known) {
        const targets = links(page);
        const mine = x.get(page) ?? 0;
        for (const target of targets)
          next.set(target, (next.get(target) ?? 0) + (0.85 * mine) / targets.length);
        jumping += targets.length === 0 ? mine : 0.15 * mine;
      }
      const moved = sum(
        known.map((page) => Math.abs((next.get(page) ?? 0) + jumping * paid(page) - (x.get(page) ?? 0))),
      );
      expect(moved).toBeLessThanOrEqual(book.figures.bound);
      const from = known.flatMap((page) => links(page).map(() => known.indexOf(page)));
      const to = known.flatMap((page) => links(page).map((target) => known.indexOf(target)));
      const rank = pageRank(linkGraph(known.length, from, to), {
        relevance: known.map((page) => worth[page] as number),
      });
      expect(sum(known.map((page, i) => Math.abs((rank[i] as number) - (x.get(page) ?? 0))))).toBeLessThan(
        0.03,
      );
    },
  );

  it('a link to itself, one twice, one through a redirect to itself => the others alone are paid', () => {
    const kept = new KeptBook(8);
    kept.work([1, 2, 3], (book) => {
      book.visit(1, []);
      book.merge(3, 1);
      book.visit(1, [1, 2, 2, 3]);
    });
    const once = new KeptBook(8);
    once.work([1, 2], (book) => {
      book.visit(1, []);
      book.visit(1, [2]);
    });
    expect(kept.open([1, 2]).page(2)).toEqual(once.open([1, 2]).page(2));
  });

  it('redirects in a circle => they end; a page where a redirect stood => a page again', () => {
    const kept = new KeptBook(8);
    kept.work([1, 2, 3], (book) => {
      book.visit(1, [2]);
      book.merge(1, 2);
      book.merge(2, 3);
      book.merge(3, 1);
    });
    const merged = kept.open([1, 2, 3]);
    expect(merged.page(1)?.page).toBe(3);
    expect(merged.figures.pages).toBe(1);
    kept.work([1, 2, 3], (book) => book.visit(1, [2]));
    expect(kept.open([1]).page(1)).toMatchObject({ page: 1, isRead: true });
  });

  it('no page that is worth anything => the cash waits', () => {
    const kept = new KeptBook(8);
    kept.work([1], (book) => {
      book.setRelevance(1, 0);
      book.visit(1, []);
      book.release();
    });
    const book = kept.open([1]);
    expect(book.figures).toMatchObject({ virtualCash: 1, bound: 2 });
    expect(book.page(1)).toMatchObject({ cash: 0, importance: 0 });
  });

  it("a page whose captures are lost => unread again, its cash no one else's", () => {
    const kept = new KeptBook(8);
    kept.work([1, 2], (book) => book.visit(1, [2]));
    kept.work([1], (book) => book.forget(1));
    const book = kept.open([1, 2]);
    expect(book.page(1)).toMatchObject({ isRead: false, cash: 0.5 });
    expect(book.figures).toMatchObject({ read: 0, unreadCash: 1 });
  });

  it('bytes that are no part => refused', () => {
    expect(() => readPart(new Uint8Array(3))).toThrow('a part of 3 bytes holds no importance');
    expect(PART_PAGES).toBe(64);
  });
});
