/**
 * Everything a watch knows: its pages, what is learnt of them, whom to believe, what is in the bank. The lab and the live archive
 * use the same. Pages come and go without losing what others taught; what cannot be learnt again from the archive is kept
 * (kept-state.ts).
 */
import type { Millis, Seconds } from '../../../model/time.ts';
import type { WatchAccount, WatchedPage } from '../../../model/watch.ts';
import { meanImportance, meanRate } from '../../patterns/change-pattern.ts';
import { learntPattern } from '../../patterns/learnt-pattern.ts';
import { type SlotOptions, slotPlan } from '../../patterns/slots.ts';
import type { Objective } from '../../quality/completeness.ts';
import { type Bank, EMPTY_BANK } from '../refresh/bank.ts';
import { newFinders } from '../refresh/finders.ts';
import { putPage, withRoom } from '../refresh/more-pages.ts';
import { patternTable, rowsAt } from '../refresh/pattern-table.ts';
import {
  AVAILABILITY,
  newState,
  type PageKnowledge,
  REFRESH,
  type RefreshState,
  settle,
} from '../refresh/state.ts';
import type { Ages } from './ages.ts';
import { type DirectoryPriors, priorFor } from './directory-priors.ts';
import { forgetPage, type Hearsay, newHearsay } from './hearsay.ts';
import { type MissingPage, missingFrom } from './missing.ts';
import { PageBook } from './page-book.ts';
import { flatRowOf, Rows } from './pattern-rows.ts';
import { born, forgetBirth } from './youth.ts';

export interface WatchState {
  refresh: RefreshState;
  readonly book: PageBook;
  readonly hearsay: Hearsay;
  readonly priors: DirectoryPriors;
  /** How pages change as they age; and when the young ones became known. */
  readonly ages: Ages;
  readonly births: Map<number, Seconds>;
  /** For pages that began with a guess: the rate guessed; and directories with new evidence since guesses were last replaced. */
  readonly priorRates: Map<number, number>;
  readonly touched: Set<string>;
  bank: Bank;
  /** Fraction of a request earned so far. */
  carry: number;
  /** Requests per hour outside the price, averaged over the last day: forced pages, floors, audits, shares. */
  fixedPace: number;
  /** Of the rounds since the price was last steered. */
  unsteered: Spending;
  /** Requests saved for discovery and audits, where these have shares, for sources of yet unknown worth, and for pages that are gone. */
  saved: { discovery: number; audit: number; sources: number; missing: number };
  /** The page being audited, and visits left. */
  audit: { url: string; visits: number } | undefined;
  /** Bytes that may still be fetched; absent without a limit. */
  bytesLeft: number | undefined;
  /** Requests that a site has left, where it has a budget of its own. */
  readonly siteLeft: Map<string, number>;
  /** Pages that failed: earliest next visit (seconds), failures in a row. */
  readonly failing: Map<number, { readonly until: Seconds; readonly times: number }>;
  /** Pages that are gone. */
  readonly missing: Map<number, MissingPage>;
  /** Pages to be visited because somebody pinged them, and who. */
  readonly pinged: Map<number, string>;
  /** What rounds between two full ones earned, and the hours that passed: the next full one plans for all of it. */
  sinceRound: { readonly earned: number; readonly hours: number };
  /** When the last round was planned. */
  plannedAt: Seconds;
  account: WatchAccount;
  /** Number of rounds planned: draws by lot depend on it. */
  rounds: number;
}

/** Requests at the price, for exploring, and fixed; in this many hours. */
export interface Spending {
  spent: number;
  explored: number;
  fixed: number;
  hours: number;
}

export interface WatchStateOptions {
  readonly now: Millis;
  readonly objective?: Objective;
  /** Hours over which completeness is to be good. */
  readonly horizon?: number;
  /** Hours from one round to the next. */
  readonly round: number;
  /** Requests per hour. */
  readonly pace: number;
  /** Time zone and days off of a site. */
  readonly slotsOf?: (site: string) => SlotOptions;
}

export const emptyAccount = (since: Millis): WatchAccount => ({
  since,
  requests: { forced: 0, refresh: 0, source: 0, discover: 0, audit: 0, capture: 0 },
  bytes: 0,
  expected: 0,
  found: 0,
});

export function newWatchState(pages: readonly WatchedPage[], options: WatchStateOptions): WatchState {
  const now = options.now / 1000;
  const { objective, horizon, round, pace } = options;
  const refresh: RefreshState = newState([], {
    table: patternTable([]),
    now,
    round,
    pace,
    ...(objective && { objective }),
    ...(horizon !== undefined && { horizon }),
  });
  refresh.finders = newFinders();
  const state: WatchState = {
    refresh,
    book: new PageBook(),
    hearsay: newHearsay(),
    priors: new Map(),
    ages: new Map(),
    births: new Map(),
    priorRates: new Map(),
    touched: new Set(),
    bank: EMPTY_BANK,
    carry: 0,
    fixedPace: 0,
    unsteered: { spent: 0, explored: 0, fixed: 0, hours: 0 },
    saved: { discovery: 0, audit: 0, sources: 0, missing: 1 },
    audit: undefined,
    bytesLeft: undefined,
    siteLeft: new Map(),
    failing: new Map(),
    missing: new Map(),
    pinged: new Map(),
    sinceRound: { earned: 0, hours: 0 },
    plannedAt: now,
    account: emptyAccount(options.now),
    rounds: 0,
  };
  listPages(state, pages, options);
  return state;
}

/** Largest number of pages for which each has a pattern of its own; above it, pages of a group share one. */
const OWN_PATTERNS = 20_000;

/**
 * All pages as the archive knows them now: new ones join, known ones keep what was learnt and take pattern and
 * weight from the list, those not on it leave.
 */
export function listPages(
  state: WatchState,
  pages: readonly WatchedPage[],
  { slotsOf = () => ({}) }: Pick<WatchStateOptions, 'slotsOf'>,
): void {
  const rows = new Rows(pages.length <= OWN_PATTERNS);
  const rowNumbers = pages.map((page) => rows.of(page, slotsOf(page.site)));
  state.refresh.table = patternTable(rows.list);
  const listed = new Set<string>();
  const fresh: number[] = [];
  pages.forEach((page, index) => {
    listed.add(page.url);
    const row = rowNumbers[index] as number;
    if (state.book.numberOf(page.url) === undefined) fresh.push(enter(state, page, row, slotsOf));
    else renew(state, page, row);
  });
  for (const number of [...state.book.numbers()])
    if (!listed.has(state.book.page(number).url)) dropPage(state, number);
  sinceLastVisit(state.refresh, fresh);
}

/** Pages that became known meanwhile; those already known stay as they are. */
export function addPages(
  state: WatchState,
  pages: readonly WatchedPage[],
  { slotsOf = () => ({}) }: Pick<WatchStateOptions, 'slotsOf'>,
): void {
  const fresh: number[] = [];
  for (const page of pages) {
    if (state.book.numberOf(page.url) !== undefined) continue;
    const plan = slotPlan('daily', slotsOf(page.site));
    fresh.push(enter(state, page, flatRowOf(state.refresh, plan), slotsOf));
  }
  sinceLastVisit(state.refresh, fresh);
}

export function dropPage(state: WatchState, number: number): void {
  forgetPage(state.hearsay, number);
  for (const pages of [state.failing, state.missing, state.pinged]) pages.delete(number);
  state.priorRates.delete(number);
  state.refresh.finders?.byPage.delete(number);
  forgetBirth(state, number);
  state.book.remove(number);
  state.refresh.alive[number] = AVAILABILITY.gone;
}

function enter(
  state: WatchState,
  page: WatchedPage,
  row: number,
  slotsOf: (site: string) => SlotOptions,
): number {
  state.refresh = withRoom(state.refresh, state.book.next + 1);
  const number = state.book.put(page);
  const { directory } = state.book.page(number);
  const prior = priorFor(state.priors, directory);
  putPage(state.refresh, number, knowledgeOf(page, row, slotsOf(page.site), prior));
  if (!page.pattern) state.priorRates.set(number, prior?.rate ?? REFRESH.rate);
  if (page.lastVisit === undefined) born(state, number);
  if (page.lastVisit !== undefined)
    state.refresh.lastVisit[number] = Math.min(page.lastVisit / 1000, state.refresh.now);
  if (page.goneSince !== undefined)
    state.missing.set(number, missingFrom(state, number, page.goneSince / 1000));
  return number;
}

function knowledgeOf(
  page: WatchedPage,
  row: number,
  slots: SlotOptions,
  prior: ReturnType<typeof priorFor>,
): PageKnowledge {
  const { weight, cost, observations, changes, pattern } = page;
  const visits = Math.max(0, observations - 1);
  const base = {
    weight,
    row,
    ...(cost !== undefined && { cost: Math.max(MIN_COST, cost) }),
    visits,
    unchanged: Math.max(0, visits - changes),
  };
  if (!pattern) return { ...base, ...(prior && { ...prior, borrowed: true }) };
  const learnt = learntPattern(pattern.sums, slotPlan(pattern.kind, slots), pattern.shape);
  return {
    ...base,
    rate: meanRate(learnt),
    importance: meanImportance(learnt),
    evidence: learnt.evidence,
    watched: pattern.sums.hours.reduce((sum, hours) => sum + hours, 0),
  };
}

/** A visit without any request would be worth infinitely much. */
const MIN_COST = 0.01;

function renew(state: WatchState, page: WatchedPage, row: number): void {
  const { refresh, book } = state;
  const number = book.numberOf(page.url) as number;
  // A visit that the list does not know of yet is known here.
  const wasRead = book.page(number).suspect === undefined && page.lastVisit === undefined;
  book.put(wasRead ? { ...page, lastVisit: refresh.lastVisit[number] as number } : page);
  refresh.row[number] = row;
  refresh.weight[number] = page.weight;
  refresh.cost[number] = Math.max(MIN_COST, page.cost ?? 1);
  // Gone, unless seen since by somebody else.
  const isBack = (page.lastVisit ?? 0) / 1000 > (refresh.lastVisit[number] as number) + 1;
  if (refresh.alive[number] === AVAILABILITY.gone && isBack) refresh.alive[number] = AVAILABILITY.open;
  if (isBack && page.goneSince === undefined) state.missing.delete(number);
  const gone = state.missing.get(number);
  if (gone && page.every !== undefined) {
    // People may have forced it since; a new list must not put it off each time.
    const forced = missingFrom(state, number, gone.since);
    if (forced.until < gone.until) state.missing.set(number, forced);
  }
  settle(refresh, number);
}

/** Hours before now that are computed slot by slot; further back the mean rate is as good. */
const BY_SLOT = 72;

/** What has passed since the last visits of pages that joined. */
function sinceLastVisit(state: RefreshState, pages: readonly number[]): void {
  if (pages.length === 0) return;
  const { now, table, row, rate, gain, expected, survival, lastVisit } = state;
  const ago = Array.from({ length: BY_SLOT }, (_, hour) => rowsAt(table, now - (hour + 0.5) * 3600));
  for (const page of pages) {
    const hours = Math.max(0, now - (lastVisit[page] as number)) / 3600;
    if (hours === 0) continue;
    const before = Math.max(0, hours - BY_SLOT) * (rate[page] as number);
    let all = before;
    let worth = -Math.expm1(-before);
    for (let left = Math.min(BY_SLOT, hours); left > 0; left = Math.ceil(left - 1)) {
      const at = ago[Math.ceil(left) - 1];
      const part = left - Math.ceil(left - 1);
      const changes = (rate[page] as number) * (at?.shape[row[page] as number] ?? 1) * part;
      const stays = Math.exp(-changes);
      worth = worth * stays + (at?.emphasis[row[page] as number] ?? 1) * (1 - stays);
      all += changes;
    }
    gain[page] = worth;
    expected[page] = all;
    survival[page] = Math.exp(-all);
  }
}
