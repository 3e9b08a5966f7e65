/**
 * Discovery: what the first version of a page never read is worth. Its chance of belonging to the perimeter × its
 * predicted importance × what one version counts: 1 if pooled; per page, its share of all versions the page will have, judged by
 * the pages of its directory.
 */
import { AVAILABILITY } from '../refresh/state.ts';
import type { WatchState } from './watch-state.ts';
import { firstVersionOf } from './youth.ts';

export interface ValuedSuspect {
  readonly page: number;
  readonly value: number;
  readonly reason: () => string;
}

export function suspectsByValue(state: WatchState): ValuedSuspect[] {
  const { refresh, book } = state;
  const suspects: ValuedSuspect[] = [];
  for (const page of book.suspects) {
    if (refresh.alive[page] !== AVAILABILITY.open) continue;
    const relevance = book.page(page).suspect?.relevance ?? 1;
    const weight = refresh.weight[page] as number;
    const { worth: first } = firstVersionOf(state, book.page(page));
    suspects.push({
      page,
      value: relevance * weight * first,
      reason: () =>
        `discovery: ${(100 * relevance).toFixed(0)}% likely to belong here × importance ${weight.toPrecision(3)} × ` +
        `${first.toPrecision(3)} for its first version`,
    });
  }
  return suspects.sort((a, b) => b.value - a.value || a.page - b.page);
}
