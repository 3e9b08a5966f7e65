import type { BookFigures } from '../../model/importance.ts';

/** What holds for all pages of a cash book together: see cash-book.ts. */
export interface BookTotals {
  /** Cash of the virtual page, and its history in weighted money. */
  virtual: number;
  virtualHistory: number;
  /** What the virtual page has ever paid, per unit of relevance. */
  paid: number;
  /** Σ of the relevance of all pages, and of those that were never read. */
  relevance: number;
  unreadRelevance: number;
  /** Cash that pages hold which were never read. */
  unreadCash: number;
  /** Σ of all history, the virtual page's too. */
  handedOn: number;
  /** e^(t ÷ window), t the cash that pages which were read have handed on: what cash handed on now counts in history. */
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
