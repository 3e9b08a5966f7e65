/** Takes in what a visit found: which sources were right, how the page changes, what the visit bought. */
import type { SeenVisit, Signal, VisitKind, WatchedPage } from '../../../model/watch.ts';
import { noteFinds } from '../refresh/finders.ts';
import { observe, patternHours, settle } from '../refresh/state.ts';
import { seenChanges, toldChanges } from '../refresh/told-pages.ts';
import { noteAges } from './ages.ts';
import { noteGap, noteImportance, type SeenGap } from './directory-priors.ts';
import { checkSignals, hearSource, sourceNamed } from './hearsay.ts';
import { noteGone } from './missing.ts';
import { notePing } from './pinged.ts';
import { addPages, type WatchState, type WatchStateOptions } from './watch-state.ts';
import { firstVersionOf } from './youth.ts';

/** Rounds that a page waits after its first failure, twice as many after each further one; at most this many hours. */
const RETRY = { rounds: 2, mostHours: 24 } as const;

/**
 * A visit counts as of the refresh state's own time, which is the round it was made in.
 * @param as what it is paid as: `capture` for the visits of a site capture
 */
export function observeVisit(
  state: WatchState,
  seen: SeenVisit,
  { slotsOf, as }: Pick<WatchStateOptions, 'slotsOf'> & { readonly as?: 'capture' } = {},
): void {
  const { book, refresh } = state;
  const paidAs: VisitKind | 'capture' = as ?? seen.kind;
  spend(state, paidAs, seen);
  const page = book.numberOf(seen.url);
  // On a page that was never read all links are new, and none is news.
  const waited = page === undefined || book.suspects.has(page) ? 0 : patternHours(refresh, page);
  if (page !== undefined) {
    state.pinged.delete(page);
    if (seen.outcome === 'failed') failed(state, page);
    else {
      state.failing.delete(page);
      if (seen.outcome === 'gone') noteGone(state, page);
      else {
        state.missing.delete(page);
        found(state, page, seen);
      }
    }
  }
  if (seen.discovered) addPages(state, seen.discovered, slotsOf ? { slotsOf } : {});
  if (page !== undefined && waited > 0) noteFound(state, page, waited, seen.discovered ?? []);
  hearAll(state, seen);
}

function spend(state: WatchState, paidAs: VisitKind | 'capture', seen: SeenVisit): void {
  const { account } = state;
  state.account = {
    ...account,
    requests: { ...account.requests, [paidAs]: account.requests[paidAs] + seen.requests },
    bytes: account.bytes + seen.bytes,
  };
  if (state.bytesLeft !== undefined) state.bytesLeft -= seen.bytes;
}

function failed({ refresh, failing }: WatchState, page: number): void {
  const times = (failing.get(page)?.times ?? 0) + 1;
  const hours = Math.min(RETRY.mostHours, RETRY.rounds * refresh.round * 2 ** (times - 1));
  failing.set(page, { until: refresh.now + hours * 3600, times });
}

function found(state: WatchState, page: number, seen: SeenVisit): void {
  const { refresh, book, hearsay, bank } = state;
  const isFirst = book.suspects.has(page);
  const changed = seen.outcome === 'changed';
  const importance = Math.min(1, Math.max(0, seen.importance));
  const { value, cost, survival, expected, lastVisit } = refresh;
  const mean = refresh.importance[page] as number;
  const worth = (value[page] as number) * (cost[page] as number);
  const brought = changed ? (mean > 0 ? (worth * importance) / mean : worth) : 0;
  const { account } = state;
  state.account = {
    ...account,
    expected: account.expected + worth * (refresh.gain[page] as number),
    found: account.found + brought,
  };
  if (isFirst) {
    // Its first version is no change.
    book.read(page);
    refresh.lastVisit[page] = refresh.now;
    observe(refresh, page, { kind: 'unchanged' });
    return;
  }
  const price = (bank.price ?? 0) * (cost[page] as number);
  const surplus = madeBySignals(state, page, bank.price ?? 0) ? brought - price : 0;
  const hours = (refresh.now - (lastVisit[page] as number)) / 3600;
  const doubt = expected[page] as number;
  const versions = !changed
    ? 0
    : refresh.told
      ? seenChanges(refresh.told, page, doubt, true).changes
      : doubt / Math.max(1e-6, 1 - (survival[page] as number));
  checkSignals(hearsay, refresh, { page, changed, importance, surplus });
  if (hours > 0) learnKind(state, page, { hours, changes: changed ? Math.max(1, versions) : 0, importance });
  observe(refresh, page, changed ? { kind: 'changed', importance } : { kind: 'unchanged' });
}

/** What it says of similar pages: of those of its age, where that is known. */
function learnKind(
  { ages, births, priors, book, refresh, touched }: WatchState,
  page: number,
  gap: SeenGap,
): void {
  const kin = book.page(page);
  const birth = births.get(page);
  if (birth !== undefined) {
    const to = (refresh.now - birth) / 3600;
    noteAges(ages, kin, { from: to - gap.hours, to, changes: gap.changes });
    if (gap.changes > 0) noteImportance(priors, kin.directory, gap.importance);
    return;
  }
  noteGap(priors, kin.directory, gap);
  touched.add(kin.directory);
}

function noteFound(state: WatchState, page: number, hours: number, discovered: readonly WatchedPage[]): void {
  const { book, refresh } = state;
  const found = discovered.flatMap(({ url, weight, relevance = 1 }) => {
    const number = book.numberOf(url);
    if (number === undefined || !book.suspects.has(number)) return [];
    const { worth, haste } = firstVersionOf(state, book.page(number));
    return [{ worth: relevance * weight * worth, haste }];
  });
  if (refresh.finders) noteFinds(refresh.finders, page, { hours, found });
}

/** Without signals the page would not have been worth its price. */
function madeBySignals({ refresh, hearsay }: WatchState, page: number, price: number): boolean {
  if (!refresh.told || !hearsay.pending.has(page)) return false;
  const { elapsed } = toldChanges(refresh.told, page, refresh.expected[page] as number);
  const alone = (refresh.value[page] as number) * (1 - (1 + elapsed) * Math.exp(-elapsed));
  return alone < price;
}

/** A page that tells of others was read, or somebody spoke up. */
function hearAll(state: WatchState, { url, outcome, signals }: SeenVisit): void {
  const { book } = state;
  const number = book.numberOf(url);
  const tells = number === undefined ? undefined : book.page(number).tells;
  if (outcome === 'failed') return;
  if (tells !== undefined) hearFrom(state, { source: url, kind: tells }, signals, true);
  else hearSignals(state, signals);
}

/** Signals from anyone: each source separately. Nothing was read, so silence says nothing. */
export function hearSignals(state: WatchState, signals: readonly Signal[]): void {
  const bySource = new Map<string, Signal[]>();
  for (const signal of signals) bySource.set(signal.source, [...(bySource.get(signal.source) ?? []), signal]);
  for (const signal of signals) if (signal.kind === 'ping') notePing(state, signal);
  for (const list of bySource.values()) hearFrom(state, list[0] as Signal, list, false);
}

function hearFrom(
  state: WatchState,
  from: Pick<Signal, 'source' | 'kind'>,
  signals: readonly Signal[],
  wasRead: boolean,
): void {
  const known = signals.flatMap((signal) => {
    const page = state.book.numberOf(signal.url);
    return page === undefined || state.book.suspects.has(page) ? [] : [{ ...signal, page }];
  });
  const source = sourceNamed(state.hearsay, from);
  hearSource(state.hearsay, state.refresh, { source, signals: known }, wasRead);
}

/** How fast the cost of a page follows what its visits took. */
const COST_STEP = 0.5;

/** What a visit took beyond what was paid for it is paid now, or refunded; and the next one is expected to take as much. */
export function settleCost(state: WatchState, { url, requests }: SeenVisit, paid: number): void {
  state.bank = { ...state.bank, balance: state.bank.balance + paid - requests };
  const page = state.book.numberOf(url);
  if (page === undefined || !(requests > 0)) return;
  const { refresh } = state;
  const cost = refresh.cost[page] as number;
  if (cost === requests) return;
  refresh.cost[page] = cost + COST_STEP * (requests - cost);
  settle(refresh, page);
}
