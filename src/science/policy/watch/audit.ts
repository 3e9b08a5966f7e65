/**
 * The audit: pages drawn by lot and visited round after round for a while, whatever they are worth, so that what the plan misses
 * can be measured without the plan's bias. A share of the budget is saved until it pays for a whole session.
 */
import { AVAILABILITY } from '../refresh/state.ts';
import type { Round } from './round.ts';
import type { WatchState } from './watch-state.ts';

/** Visits per session: six hours at four rounds an hour. */
export const AUDIT_VISITS = 24;

export function auditVisits(round: Round, state: WatchState, earned: number): void {
  const { saved, refresh, book } = state;
  if (!(earned > 0)) return;
  saved.audit = Math.min(2 * AUDIT_VISITS, saved.audit + earned);
  if (!state.audit && saved.audit >= AUDIT_VISITS) {
    const page = drawn(state);
    if (page !== undefined) state.audit = { url: book.page(page).url, visits: AUDIT_VISITS };
  }
  if (!state.audit) return;
  const { url, visits } = state.audit;
  const page = book.numberOf(url);
  if (page === undefined || visits <= 0 || state.missing.has(page)) {
    state.audit = undefined;
    return;
  }
  const reason = (): string => `audit: drawn by lot, ${visits} of ${AUDIT_VISITS} visits left`;
  if (!round.take(page, 'audit', reason)) return;
  saved.audit = Math.max(0, saved.audit - (refresh.cost[page] as number));
  state.audit = { url, visits: visits - 1 };
}

/** Tries before a draw is given up: most pages are open. */
const TRIES = 50;

/** Every open page is equally likely; the same state draws the same page. */
function drawn({ refresh, book, missing, rounds }: WatchState): number | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const page = Math.floor(lot(rounds, attempt) * refresh.size);
    const isPlain = !book.suspects.has(page) && !book.sources.has(page) && !missing.has(page);
    if (refresh.alive[page] === AVAILABILITY.open && isPlain) return page;
  }
  return undefined;
}

/** In [0, 1): a hash of two numbers (splitmix32's finaliser). */
function lot(a: number, b: number): number {
  let x = Math.imul(a + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 4_294_967_296;
}
