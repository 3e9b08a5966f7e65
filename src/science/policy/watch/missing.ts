/**
 * Pages that are gone. What answered 404 may come back, and somebody may have asked to be told: it is requested again, forced
 * pages as often as people want, others ever more rarely, each time after as long as they have already been gone. They get a share
 * of the requests, so that a rebuilt site does not take all of them, and no place on the scale: what their patterns promise is void.
 */
import type { Seconds } from '../../../model/time.ts';
import { spanWords } from '../reason-words.ts';
import { AVAILABILITY } from '../refresh/state.ts';
import { visitedTold } from '../refresh/told-pages.ts';
import type { FixedVisit } from './fixed-visits.ts';
import type { Round } from './round.ts';
import type { WatchState } from './watch-state.ts';

export interface MissingPage {
  /** When it was first found gone. */
  readonly since: Seconds;
  /** Not requested before this. */
  readonly until: Seconds;
}

const PAUSE = { rounds: 2, mostHours: 720 } as const;
/** Of the requests, for pages that nobody forces. */
const SHARE = 0.05;
/** Seconds: a round that begins a moment before a forced page is due still takes it. */
const EARLY = 4;
/** Hours of the share that can be saved up. */
const SAVED_HOURS = 24;

/** A visit found that the page is not there. A page that never was there is not looked for, unless people force it. */
export function noteGone(state: WatchState, page: number): void {
  const { refresh, book, missing, hearsay } = state;
  refresh.lastVisit[page] = refresh.now;
  refresh.gain[page] = 0;
  refresh.expected[page] = 0;
  refresh.survival[page] = 1;
  hearsay.pending.delete(page);
  if (refresh.told) visitedTold(refresh.told, page);
  const { every } = book.page(page);
  if (book.suspects.has(page) && every === undefined) {
    refresh.alive[page] = AVAILABILITY.gone;
    return;
  }
  // From now on it is due by when it was last requested, not as a page never read.
  book.read(page);
  missing.set(page, missingFrom(state, page, missing.get(page)?.since ?? refresh.now));
}

/** As if it had just been requested. */
export function missingFrom({ refresh, book }: WatchState, page: number, since: Seconds): MissingPage {
  const { every } = book.page(page);
  const least = PAUSE.rounds * refresh.round * 3600;
  const grown = Math.min(PAUSE.mostHours * 3600, Math.max(least, refresh.now - since));
  const pause = every === undefined ? grown : Math.max(0, every / 1000 - EARLY);
  return { since, until: refresh.now + pause };
}

/** Those whose pause is over, longest first, as many as their share pays for. Forced ones are due by their own span. */
export function missingVisits(round: Round, state: WatchState, earned: number): void {
  const { refresh, book, missing, saved } = state;
  const most = Math.max(1, SHARE * SAVED_HOURS * refresh.pace);
  saved.missing = Math.min(most, saved.missing + SHARE * earned);
  const due: (FixedVisit & { readonly until: Seconds })[] = [];
  for (const [page, { since, until }] of missing) {
    if (until > refresh.now || book.forced.has(page)) continue;
    const gone = spanWords((refresh.now - since) * 1000);
    due.push({ page, until, reason: () => `gone: for ${gone} now, asked whether it is back` });
  }
  due.sort((a, b) => a.until - b.until || a.page - b.page);
  for (const { page, reason } of due) {
    const cost = refresh.cost[page] as number;
    if (cost > saved.missing) break;
    if (round.take(page, 'refresh', reason, 0)) saved.missing -= cost;
  }
}
