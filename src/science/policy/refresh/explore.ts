/**
 * Exploration while patterns are unknown. A policy that trusts first guesses locks in: a page that seemed dull is not
 * looked at again, so the guess is never corrected.
 *
 *   surveying   until every page was visited `survey` times: the oldest first, whatever the budget
 *   exploring   while a page is unknown (fewer than `known` changes seen, and visited fewer than `patience` times): a share
 *               of the budget goes to the unknown pages visited longest ago; the rest by the policy
 *   trusting    no page is unknown
 */
import type { RefreshPolicy } from './policy.ts';
import { topPages } from './select.ts';
import { REFRESH, type RefreshState } from './state.ts';

/** Share of the budget; then numbers of visits, changes and visits, as above. */
const EXPLORING = { share: 0.1, survey: 2, known: 5, patience: 30 } as const;

export const isUnknown = (state: RefreshState, page: number): boolean =>
  state.alive[page] === 1 &&
  state.borrowed[page] === 0 &&
  (state.changes[page] as number) < REFRESH.priorStrength + EXPLORING.known &&
  (state.visits[page] as number) < EXPLORING.patience;

const isSurveyed = (state: RefreshState, page: number): boolean =>
  (state.visits[page] as number) >= EXPLORING.survey;

export function exploring(policy: RefreshPolicy): RefreshPolicy {
  const { name, priced } = policy;
  return {
    name,
    rank: (state, now, budget) => {
      const trusted = policy.rank(state, now, budget);
      const room = Math.min(Math.floor(budget), state.size);
      const { pages, known } = explored(state, room);
      return known ? trusted : merge(trusted, pages, room, name);
    },
    ...(priced && {
      priced: {
        startingPrice: (state) => priced.startingPrice(state),
        rankAt: (state, offer) => {
          const { pages, known, surveying } = explored(state, Math.min(offer.room, offer.earned));
          if (known) return priced.rankAt(state, offer);
          // A survey is not sped up with saved visits: nothing is known yet that would be worth it.
          const room = surveying ? Math.min(offer.room, Math.ceil(offer.earned)) : offer.room;
          const trusted = priced.rankAt(state, { ...offer, room });
          return { ...merge(trusted, pages, room, name), aside: pages.length };
        },
      },
    }),
  };
}

interface Exploration {
  /** To be visited before all others. */
  readonly pages: Int32Array;
  readonly surveying: boolean;
  /** No page is unknown. */
  readonly known: boolean;
}

/** @param budget visits of the round: a survey takes all of them, exploring only its share. */
function explored(state: RefreshState, budget: number): Exploration {
  const age = new Float32Array(state.size).fill(-1);
  let fresh = 0;
  let unknown = 0;
  for (let page = 0; page < state.size; page++) {
    if (!isUnknown(state, page)) continue;
    unknown++;
    age[page] = (state.now - (state.lastVisit[page] as number)) / 3600;
    if (!isSurveyed(state, page)) fresh++;
  }
  if (unknown === 0) return { pages: new Int32Array(0), surveying: false, known: true };
  const room = Math.min(Math.floor(budget), state.size);
  // While surveying, only pages that still lack a visit are on the list.
  if (fresh > 0) {
    for (let page = 0; page < state.size; page++) if (isSurveyed(state, page)) age[page] = -1;
    return { pages: topPages(age, room), surveying: true, known: false };
  }
  // At small budgets a tenth is less than a visit: then it is a visit now and then, by the state's own clock.
  const part = EXPLORING.share * room;
  const whole =
    Math.floor(part) + (fraction((state.now / 3600) * 0.618_034) < part - Math.floor(part) ? 1 : 0);
  return { pages: topPages(age, Math.min(whole, room)), surveying: false, known: false };
}

const fraction = (value: number): number => value - Math.floor(value);

function merge(
  trusted: ReturnType<RefreshPolicy['rank']>,
  first: Int32Array,
  room: number,
  name: string,
): ReturnType<RefreshPolicy['rank']> {
  const taken = new Set(first);
  const rest: { readonly page: number; readonly place: number }[] = [];
  for (let place = 0; place < trusted.pages.length && taken.size + rest.length < room; place++) {
    const page = trusted.pages[place] as number;
    if (!taken.has(page)) rest.push({ page, place });
  }
  const pages = new Int32Array(first.length + rest.length);
  pages.set(first);
  rest.forEach(({ page }, index) => {
    pages[first.length + index] = page;
  });
  return {
    pages,
    scores: trusted.scores,
    reason: (place) => {
      if (place < first.length) return `${name}: exploring a page whose pattern is not known yet`;
      const entry = rest[place - first.length];
      if (!entry) throw new RangeError(`no visit at place ${place}`);
      return trusted.reason(entry.place);
    },
  };
}
