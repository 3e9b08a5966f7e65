/**
 * Pinged pages about which no pattern says anything: never read, gone, or failing. The ping is all there is to go by, so they
 * are visited as soon as the bank can pay for them, whatever they are worth.
 */
import type { Signal } from '../../../model/watch.ts';
import { AVAILABILITY } from '../refresh/state.ts';
import type { Round } from './round.ts';
import type { WatchState } from './watch-state.ts';

export function notePing(state: WatchState, { url, source }: Pick<Signal, 'url' | 'source'>): void {
  const { refresh, book, missing, failing, pinged } = state;
  const page = book.numberOf(url);
  if (page === undefined) return;
  const rests = missing.get(page);
  const failed = failing.get(page);
  if (rests) missing.set(page, { ...rests, until: Math.min(rests.until, refresh.now) });
  if (failed) failing.set(page, { ...failed, until: Math.min(failed.until, refresh.now) });
  if (refresh.alive[page] === AVAILABILITY.gone) refresh.alive[page] = AVAILABILITY.open;
  if (rests || failed || book.suspects.has(page)) pinged.set(page, source);
}

export function pingedVisits(round: Round, { book, pinged }: WatchState): void {
  for (const [page, source] of pinged) {
    const kind = book.suspects.has(page) ? 'discover' : 'refresh';
    round.take(page, kind, () => `pinged: ${source} says that it has changed`);
  }
}

/** Hours until the bank can pay for one of them, 0 where it can; undefined where none waits to be paid. */
export function pingedWait({ refresh, book, pinged, bank, siteLeft }: WatchState): number | undefined {
  let least: number | undefined;
  for (const page of pinged.keys()) {
    const cost = refresh.cost[page] as number;
    const left = siteLeft.get(book.page(page).site);
    if (
      refresh.alive[page] !== AVAILABILITY.open ||
      !(refresh.pace > 0) ||
      (left !== undefined && cost > left)
    )
      continue;
    const hours = Math.max(0, cost - bank.balance) / refresh.pace;
    least = Math.min(least ?? hours, hours);
  }
  return least;
}
