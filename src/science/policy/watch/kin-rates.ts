/**
 * Pages never seen to change borrow from those of their directory: of three hundred old articles, thirty tell enough to leave
 * the others alone.
 *
 * The rate of a page is a Gamma posterior whose prior has the strength of half a change (refresh/state.ts). The prior's mean is a
 * guess for pages in general until the directory is known, then the directory's own rate. So the prior is replaced, as long as the
 * page itself is not well known: hours ← hours + s/r_new − s/r_old.
 */
import { isUnknown } from '../refresh/explore.ts';
import { REFRESH, settle } from '../refresh/state.ts';
import { type DirectoryTally, priorFor } from './directory-priors.ts';
import type { WatchState } from './watch-state.ts';

/** Share of the gaps between visits: a directory in which fewer saw a change is quiet. Its pages need no survey. */
const QUIET_SHARE = 0.1;

export function borrowFromKin(state: WatchState): void {
  const { refresh, book, priors, priorRates, births } = state;
  for (const directory of state.touched) {
    const prior = priorFor(priors, directory);
    if (!prior) continue;
    const { seen, gaps } = priors.get(directory) as DirectoryTally;
    const isQuiet = seen < QUIET_SHARE * gaps;
    for (const page of book.pagesIn(directory)) {
      const before = priorRates.get(page);
      if (before === undefined || births.has(page)) continue;
      if (!isUnknown(refresh, page) && refresh.borrowed[page] === 0) continue;
      const strength = REFRESH.priorStrength;
      const rate = isQuiet ? prior.rate : REFRESH.rate;
      const hours = (refresh.hours[page] as number) + strength / rate - strength / before;
      priorRates.set(page, rate);
      refresh.hours[page] = hours;
      refresh.borrowed[page] = isQuiet ? 1 : 0;
      settle(refresh, page);
    }
  }
  state.touched.clear();
}
