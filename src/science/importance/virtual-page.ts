/** What OPIC's virtual page does when it is visited: it pays all pages. */
import type { MergedPages } from './merged-pages.ts';

export interface Payees {
  /** Number of places in `cash`, including the virtual page's own, 0. */
  readonly size: number;
  /** By place; absent: all equal. */
  readonly relevance: Float64Array | undefined;
  /** By place; if given, sites are paid equally, and each page by its part of its site's relevance. */
  readonly siteOf: Int32Array | undefined;
  readonly merged: MergedPages;
}

/** Adds the amount to the cash of the pages. If no page has any relevance, all are paid equally, like PageRank's jumps. */
export function payPages(cash: Float64Array, amount: number, payees: Payees): void {
  const { size, siteOf } = payees;
  const relevance = payees.relevance && isAnyPaid(payees.relevance, size) ? payees.relevance : alike(payees);
  if (siteOf) {
    payBySite(cash, amount, { size, siteOf, relevance });
    return;
  }
  if (!relevance) {
    const share = amount / (size - 1);
    for (let at = 1; at < size; at++) cash[at] = (cash[at] as number) + share;
    return;
  }
  let sum = 0;
  for (let at = 1; at < size; at++) sum += relevance[at] as number;
  const share = amount / sum;
  for (let at = 1; at < size; at++) cash[at] = (cash[at] as number) + share * (relevance[at] as number);
}

function isAnyPaid(relevance: Float64Array, size: number): boolean {
  for (let at = 1; at < size; at++) if ((relevance[at] as number) > 0) return true;
  return false;
}

/** 1 for each page, but 0 for those that redirect; undefined where none does. */
function alike({ size, merged }: Payees): Float64Array | undefined {
  if (merged.size === 0) return undefined;
  return Float64Array.from({ length: size }, (_, at) => (merged.has(at - 1) ? 0 : 1));
}

function payBySite(
  cash: Float64Array,
  amount: number,
  {
    size,
    siteOf,
    relevance,
  }: {
    readonly size: number;
    readonly siteOf: Int32Array;
    readonly relevance: Float64Array | undefined;
  },
): void {
  let sites = 0;
  for (let at = 1; at < size; at++) sites = Math.max(sites, (siteOf[at] as number) + 1);
  const sums = new Float64Array(sites);
  for (let at = 1; at < size; at++) {
    const site = siteOf[at] as number;
    sums[site] = (sums[site] as number) + (relevance ? (relevance[at] as number) : 1);
  }
  let paid = 0;
  for (const sum of sums) if (sum > 0) paid++;
  const share = amount / paid;
  for (let at = 1; at < size; at++) {
    const own = relevance ? (relevance[at] as number) : 1;
    if (own > 0) cash[at] = (cash[at] as number) + (share * own) / (sums[siteOf[at] as number] as number);
  }
}
