import type { BookFigures } from '../../model/importance.ts';

/** What a cash book keeps for all pages together: see cash-book.ts. */
export interface BookTotals {
  /** Cash of the virtual page, and its history in weighted money. */
  virtual: number;
  virtualHistory: number;
  /** Everything the virtual page has ever paid, per unit of relevance. */
  paid: number;
  /** Σ of the relevance of all pages, and of those that were never read. */
  relevance: number;
  unreadRelevance: number;
  /** Cash held by pages that were never read. */
  unreadCash: number;
  /** Σ of all history, including the virtual page's. */
  handedOn: number;
  /** e^(t ÷ window), t being the cash that read pages have handed on: the weight in history of cash handed on now. */
  weight: number;
  pages: number;
  read: number;
  visits: number;
}

export const newTotals = (): BookTotals => ({
  ...{ virtual: 1, virtualHistory: 0, paid: 0 },
  ...{ relevance: 0, unreadRelevance: 0, unreadCash: 0 },
  ...{ handedOn: 0, weight: 1 },
  ...{ pages: 0, read: 0, visits: 0 },
});

export function figuresOf(totals: BookTotals): BookFigures {
  const { pages, read, visits, virtual, unreadCash, handedOn, weight } = totals;
  const total = handedOn / weight;
  return {
    ...{ pages, read, visits, total },
    bound: total === 0 ? 2 : Math.min(2, 2 / total),
    ...{ virtualCash: virtual, unreadCash },
  };
}
