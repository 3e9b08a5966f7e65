/**
 * Pinged pages about which no pattern says anything: never read, gone, or failing. The ping is all there is to go by, so they
 * are visited in the next round that can pay for them, whatever they are worth.
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
