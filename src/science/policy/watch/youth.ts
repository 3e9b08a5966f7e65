/** Pages found while the watch was running: how old they are, and what that says of them now (ages.ts, young-pages.ts). */
import { type RefreshState, settle } from '../refresh/state.ts';
import { firstWorth } from '../refresh/young-pages.ts';
import { changesBetween, GROWN_UP, hazardAt, hazards, type Kin } from './ages.ts';
import { priorFor } from './directory-priors.ts';
import type { WatchState } from './watch-state.ts';

/** Number of changes that the evidence from similar pages counts as, against the page's own. */
const KIN_STRENGTH = 1;

/** It became known at `birth`: until it is grown up its age says how fast it changes. */
export function born(state: WatchState, page: number, birth = state.refresh.now): void {
  state.births.set(page, Math.min(birth, state.refresh.now));
  const { refresh } = state;
  refresh.changes[page] = KIN_STRENGTH;
  refresh.hours[page] = KIN_STRENGTH;
  refresh.borrowed[page] = 1;
  growOlder(state, page, hazards(state.ages, state.book.page(page)));
}

/** Updates all of them to their current age. */
export function ageAll(state: WatchState): void {
  const known = new Map<string, readonly number[]>();
  for (const page of state.births.keys()) {
    const kin = state.book.page(page);
    const byAge = known.get(kin.directory) ?? hazards(state.ages, kin);
    known.set(kin.directory, byAge);
    growOlder(state, page, byAge);
  }
}

function growOlder({ refresh, births }: WatchState, page: number, byAge: readonly number[]): void {
  const age = (refresh.now - (births.get(page) as number)) / 3600;
  refresh.young ??= new Map();
  if (age < GROWN_UP) {
    const lifetime = changesBetween(byAge, 0, refresh.horizon);
    refresh.young.set(page, { hazard: hazardAt(byAge, age), lifetime });
  } else {
    births.delete(page);
    refresh.young.delete(page);
    // From now on hours are no longer weighted by age: rescaled so that the rate stays.
    refresh.hours[page] = (refresh.changes[page] as number) / (refresh.rate[page] as number);
  }
  settle(refresh, page);
}

export function forgetBirth({ births, refresh }: WatchState, page: number): void {
  births.delete(page);
  refresh.young?.delete(page);
}

/** What the first version of a page like these adds, and the chance per hour that it is overwritten while it is young. */
export function firstVersionOf(
  { ages, priors, refresh }: Pick<WatchState, 'ages' | 'priors' | 'refresh'>,
  kin: Kin,
): { readonly worth: number; readonly haste: number } {
  const byAge = hazards(ages, kin);
  return {
    worth: firstShare(refresh, byAge, priorFor(priors, kin.directory)?.importance),
    haste: hazardAt(byAge, 0),
  };
}

function firstShare(
  { objective, horizon }: RefreshState,
  byAge: readonly number[],
  importance = LATER,
): number {
  return objective === 'pooled' ? 1 : firstWorth(changesBetween(byAge, 0, horizon), importance);
}

/** Importance of a later change where none was seen: compared with a first version, which is entirely new. */
const LATER = 0.2;
