/**
 * The cash book of an archive whose links are all known, as it would be after infinitely many visits: cash and history of each
 * page in proportion to PageRank, found by power iteration. So a book that was lost, or that visits never made, is restored
 * from the links alone, the same every time, with |XL − X| at most the tolerance of pageRank (1e-10).
 *
 * With π the share of cash that stays at each page, the virtual page's being what jumps in a round:
 *
 *   C = π,   H = π · G,   G = window ÷ Σ π of read pages
 *
 * G is where the effective total of a book settles: history is forgotten as fast as it is written. Later visits continue
 * from there, and forget as if they had made it.
 */
import type { StoredTotals } from '../../model/importance.ts';
import type { ArchivedGraph } from './archived-graph.ts';
import { newPart, PART_PAGES, PageKind, partOf, writePart } from './book-part.ts';
import { type BookTotals, newTotals } from './book-totals.ts';
import { DEFAULT_WINDOW } from './opic.ts';
import { DAMPING, pageRank } from './page-rank.ts';

export interface SettledBook {
  readonly stored: Required<StoredTotals>;
  /** Every part, in order; can be iterated any number of times. */
  readonly parts: Iterable<readonly [part: number, bytes: Uint8Array]>;
}

/** `relevance` of each page of the graph, 1 unless given. */
export function settledBook(archived: ArchivedGraph, relevance?: Float32Array): SettledBook {
  const { graph, isRead } = archived;
  const rank = pageRank(graph, { ...(relevance && { relevance }) });
  let jumping = 0;
  rank.forEach((mine, page) => {
    const hasLinks = graph.offsets[page] !== graph.offsets[page + 1];
    jumping += hasLinks ? (1 - DAMPING) * mine : mine;
  });
  const totals = newTotals();
  if (graph.pages > 0) fillTotals(totals, { rank, isRead, jumping, relevance });
  const history = totals.handedOn;
  const share = graph.pages === 0 ? 0 : 1 / (1 + jumping);
  return {
    stored: { totals: JSON.stringify(totals), releases: '[]' },
    parts: {
      [Symbol.iterator]: () =>
        partsOf(archived, (page) => (rank[page] as number) * share, history, relevance),
    },
  };
}

function fillTotals(
  totals: BookTotals,
  book: {
    readonly rank: Float64Array;
    readonly isRead: Uint8Array;
    readonly jumping: number;
    readonly relevance: Float32Array | undefined;
  },
): void {
  const { rank, isRead, jumping, relevance } = book;
  const share = 1 / (1 + jumping);
  let readCash = 0;
  rank.forEach((mine, page) => {
    const worth = relevance ? (relevance[page] as number) : 1;
    totals.pages++;
    totals.relevance += worth;
    if (isRead[page] === 1) {
      totals.read++;
      readCash += mine * share;
    } else {
      totals.unreadRelevance += worth;
      totals.unreadCash += mine * share;
    }
  });
  totals.visits = totals.read;
  totals.virtual = jumping * share;
  totals.handedOn = readCash === 0 ? 0 : DEFAULT_WINDOW / readCash;
  totals.virtualHistory = totals.virtual * totals.handedOn;
}

function* partsOf(
  { numbers, isRead, merged }: ArchivedGraph,
  cashOf: (page: number) => number,
  history: number,
  relevance: Float32Array | undefined,
): Generator<readonly [number, Uint8Array]> {
  const leading = [...merged].sort(([a], [b]) => a - b);
  let page = 0;
  let lead = 0;
  const nextPart = (): number =>
    partOf(
      Math.min(numbers[page] ?? Number.POSITIVE_INFINITY, leading[lead]?.[0] ?? Number.POSITIVE_INFINITY),
    );
  while (page < numbers.length || lead < leading.length) {
    const number = nextPart();
    const part = newPart(0);
    for (; page < numbers.length && partOf(numbers[page] as number) === number; page++) {
      const slot = (numbers[page] as number) % PART_PAGES;
      const cash = cashOf(page);
      part.kinds[slot] = isRead[page] === 1 ? PageKind.read : PageKind.unread;
      part.cash[slot] = cash;
      part.history[slot] = cash * history;
      if (!relevance || relevance[page] === 1) continue;
      part.relevance ??= new Float32Array(PART_PAGES).fill(1);
      part.relevance[slot] = relevance[page] as number;
    }
    for (; lead < leading.length && partOf(leading[lead]?.[0] as number) === number; lead++) {
      const [from, to] = leading[lead] as [number, number];
      part.kinds[from % PART_PAGES] = PageKind.merged;
      part.cash[from % PART_PAGES] = to;
    }
    yield [number, writePart(part)];
  }
}
