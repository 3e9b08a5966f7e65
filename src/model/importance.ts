/** What on-line importance knows of one page: its cash and history, and what follows. See science/importance/cash-book.ts. */
export interface BookPage {
  /** Number of the page: the catalog's id of its URL. */
  readonly page: number;
  readonly isRead: boolean;
  readonly cash: number;
  /** Cash handed on so far, with older cash counting less. */
  readonly history: number;
  /** (H + C) ÷ (G + 1), the virtual page excluded: over all pages it sums to 1. */
  readonly importance: number;
}

export interface BookFigures {
  /** Known pages: read, or linked to; those that redirect to another are not counted. */
  readonly pages: number;
  readonly read: number;
  readonly visits: number;
  /** The effective G. */
  readonly total: number;
  /** |XL − X| is at most this: 2 ÷ total, and never more than 2. */
  readonly bound: number;
  /** Cash of the virtual page, and of pages that were never read. */
  readonly virtualCash: number;
  readonly unreadCash: number;
}

/** What is kept for all pages together, as text; releases separately, since they change with crawls and not with visits. */
export interface StoredTotals {
  readonly totals?: string;
  readonly releases?: string;
}
