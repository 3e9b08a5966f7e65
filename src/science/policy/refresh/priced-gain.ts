/**
 * `priced-gain`: plan each page's visits against a price per hour, then take the pages that would lose most by waiting.
 *
 * Lagrangian relaxation: with a price c_k on a visit in hour k of the day, pages decouple, and each has its own plan:
 *
 *   V(s) = max over t > s of R(s, t) − c_{k(t)} + V(t),   R(s, t) = v·g after t − s hours from a visit at s
 *
 * solved backwards over the hours ahead. The prices are those at which all plans together ask for exactly the budget in
 * every hour: raised where more visits are asked for, lowered where fewer. The score of a page now is the value of a visit now
 * against the best later one: R(s, now) − c + V(now) − max over t > now of R(s, t) − c + V(t).
 *
 * Cost: pages × hours² per price round, so plans are made once a day of the state's time; in between, a score looks up V and
 * costs one pass over the hours ahead. For thousands of pages, not millions: that is what `expected-gain` is for.
 *
 * Departure from an exact plan: the look-ahead ends after `AHEAD` hours; slow pages, whose best gap is longer, are scored
 * by the closed form at the same price, which needs no horizon.
 */
import type { Seconds } from '../../../model/time.ts';
import { marginalScores, percent } from './expected-gain.ts';
import { rowsAt } from './pattern-table.ts';
import { bestPages, hoursSince, type Reason, type RefreshPolicy, scoredPolicy } from './policy.ts';
import type { RefreshState } from './state.ts';
import { steadyPrice } from './steady-price.ts';

/** Hours that a score looks ahead. A week would see the weekend coming; three days cost a fifth of that. */
const AHEAD = 72;
/** Hours in a plan: enough that its last day still looks ahead. */
const HOURS = 2 * AHEAD;
/** Seconds for which a plan is kept. */
const DAY = 86_400;
const PRICE_ROUNDS = 6;
/** Largest change of a price in the first round, in logarithms; later rounds change less. */
const PRICE_STEP = 0.35;
/** Hours ahead over which the demand of two days is counted: the first hours only work off what is due. */
const COUNTED = { after: 12, until: 60, days: 2 } as const;

interface Plans {
  readonly from: Seconds;
  /** Price of a visit at each hour ahead. */
  readonly price: Float64Array;
  /** V per page and hour ahead. */
  readonly worth: Float32Array;
  /** Prices by hour of the day, to start the next plan from. */
  readonly byHour: Float64Array;
  readonly shape: readonly Float32Array[];
  readonly emphasis: readonly Float32Array[];
}

export function pricedGain(): RefreshPolicy {
  const known = new WeakMap<RefreshState, Plans>();
  const atOnePrice = new WeakMap<RefreshState, Plans>();
  const isOver = (plans: Plans, now: Seconds): boolean => now - plans.from >= DAY || now < plans.from;
  const why: Reason = (state, page, advantage) =>
    `${advantage.toPrecision(3)} better now than later, ${percent(1 - (state.survival[page] as number))} likely to ` +
    `have changed in ${hoursSince(state, page).toFixed(1)} h`;
  const policy = scoredPolicy(
    'priced-gain',
    (state, now, scores) => {
      let plans = known.get(state);
      if (!plans || isOver(plans, now)) {
        plans = plan(state, now, plans?.byHour);
        known.set(state, plans);
      }
      score(state, now, plans, scores);
      // Shifted by one: policies rank by scores of 0 or more, and an advantage may be negative.
      for (let page = 0; page < state.size; page++) scores[page] = Math.max(0, 1 + (scores[page] as number));
    },
    (state, page, shifted) => why(state, page, shifted - 1),
  );
  return {
    ...policy,
    priced: {
      startingPrice: steadyPrice,
      rankAt: (state, { price, room }) => {
        let plans = atOnePrice.get(state);
        if (!plans || isOver(plans, state.now)) {
          plans = planAt(state, price);
          atOnePrice.set(state, plans);
        }
        // The value of later visits is at most a day old; the price is today's.
        plans.price.fill(price);
        const scores = new Float32Array(state.size);
        score(state, state.now, plans, scores);
        return bestPages(
          state,
          scores,
          room,
          (page) =>
            `${policy.name}: ${why(state, page, scores[page] as number)}, at a price of ${price.toPrecision(3)}`,
        );
      },
    },
  };
}

/** With a banked budget there is one price for all hours, found by the bank. */
function planAt(state: RefreshState, price: number): Plans {
  const plans = blankPlans(state, state.now);
  plans.price.fill(price);
  const outlook = new Outlook(state, plans);
  for (let page = 0; page < state.size; page++) {
    if (state.alive[page] !== 1) continue;
    outlook.of(page, 0, HOURS);
    outlook.solve();
  }
  return plans;
}

function blankPlans(state: RefreshState, now: Seconds, byHour = new Float64Array(24)): Plans {
  const at = Array.from({ length: HOURS + 1 }, (_, hour) => rowsAt(state.table, now + (hour - 0.5) * 3600));
  return {
    from: now,
    price: new Float64Array(HOURS + 1),
    worth: new Float32Array(state.size * (HOURS + 1)),
    byHour,
    shape: at.map(({ shape }) => shape),
    emphasis: at.map(({ emphasis }) => emphasis),
  };
}

function plan(state: RefreshState, now: Seconds, before: Float64Array | undefined): Plans {
  const plans = blankPlans(state, now, before?.slice() ?? new Float64Array(24).fill(firstPrice(state)));
  const hourOfDay = (ahead: number): number => (Math.floor(now / 3600) + ahead) % 24;
  for (let round = 0; round < PRICE_ROUNDS; round++) {
    plans.price.forEach((_, ahead) => {
      plans.price[ahead] = plans.byHour[hourOfDay(ahead)] as number;
    });
    const asked = new Float64Array(24);
    const outlook = new Outlook(state, plans);
    for (let page = 0; page < state.size; page++) {
      if (state.alive[page] !== 1) continue;
      outlook.of(page, 0, HOURS);
      for (const ahead of outlook.plannedVisits()) {
        if (ahead <= COUNTED.after || ahead > COUNTED.until) continue;
        asked[hourOfDay(ahead)] = (asked[hourOfDay(ahead)] as number) + 1;
      }
    }
    const step = PRICE_STEP / (1 + round / 3);
    asked.forEach((visits, hour) => {
      const excess = visits / (COUNTED.days * state.pace) - 1;
      plans.byHour[hour] =
        (plans.byHour[hour] as number) * Math.exp(step * Math.max(-1, Math.min(1, excess)));
    });
  }
  return plans;
}

/** The score of the last page that the closed form would take. */
function firstPrice(state: RefreshState): number {
  const scores = new Float32Array(state.size);
  marginalScores(state, state.now, scores);
  scores.sort();
  const last = scores[Math.max(0, state.size - 1 - Math.floor(state.pace))] as number;
  return Math.max(1e-6, last);
}

/** One page at a time, as its plan sees it: what a visit at each hour ahead would bring, and cost. */
class Outlook {
  readonly #state: RefreshState;
  readonly #plans: Plans;
  /** By hour ahead: the chance that the page stays as it is, and what a change in that hour adds. */
  readonly #stays = new Float64Array(HOURS + 1);
  readonly #comes = new Float64Array(HOURS + 1);
  /** Hour of the next visit after one at each hour; past the end: none. */
  readonly #next = new Int32Array(HOURS + 1).fill(HOURS + 1);
  #page = 0;
  /** Hour of the visit last found by `best`. */
  #when = HOURS + 1;

  constructor(state: RefreshState, plans: Plans) {
    this.#state = state;
    this.#plans = plans;
  }

  /** Switches to a page, for visits after `from` up to `until`. */
  of(page: number, from: number, until: number): void {
    this.#page = page;
    const row = this.#state.row[page] as number;
    const rate = this.#state.rate[page] as number;
    const value = this.#state.value[page] as number;
    for (let hour = from + 1; hour <= until; hour++) {
      const stay = Math.exp(-rate * (this.#plans.shape[hour]?.[row] as number));
      this.#stays[hour] = stay;
      this.#comes[hour] = value * (this.#plans.emphasis[hour]?.[row] as number) * (1 - stay);
    }
  }

  /** Value of the best visit after `from` up to `until`, if the page has this much to bring at `from`; 0: none pays. */
  best(from: number, until: number, gain: number): number {
    const { price, worth } = this.#plans;
    const base = this.#page * (HOURS + 1);
    let brings = gain;
    let most = 0;
    this.#when = HOURS + 1;
    for (let to = from + 1; to <= until; to++) {
      brings = brings * (this.#stays[to] as number) + (this.#comes[to] as number);
      const total = brings - (price[to] as number) + (worth[base + to] as number);
      if (total > most) {
        most = total;
        this.#when = to;
      }
    }
    return most;
  }

  /** Computes V backwards. */
  solve(): void {
    const { worth } = this.#plans;
    const base = this.#page * (HOURS + 1);
    worth[base + HOURS] = 0;
    for (let from = HOURS - 1; from >= 0; from--) {
      worth[base + from] = this.best(from, HOURS, 0);
      this.#next[from] = this.#when;
    }
  }

  /** The visits of the plan from the page's current state: hours ahead. */
  *plannedVisits(): Generator<number> {
    this.solve();
    this.best(0, HOURS, brought(this.#state, this.#page));
    for (let at = this.#when; at <= HOURS; at = this.#next[at] as number) yield at;
  }
}

/** v·g: what a visit now brings. */
const brought = ({ value, gain }: RefreshState, page: number): number =>
  (value[page] as number) * (gain[page] as number);

/** By how much a visit now is better than the best later one, or than none. */
function score(state: RefreshState, now: Seconds, plans: Plans, scores: Float32Array): void {
  const hour = Math.min(HOURS - 1, Math.round((now - plans.from) / 3600));
  const until = Math.min(HOURS, hour + AHEAD);
  const price = plans.price[hour] as number;
  const outlook = new Outlook(state, plans);
  marginalScores(state, now, scores);
  for (let page = 0; page < state.size; page++) {
    const base = page * (HOURS + 1);
    // A page that would not pay its price within the plan is ranked by the closed form alone.
    if ((plans.worth[base] as number) <= 0) {
      scores[page] = (scores[page] as number) - price;
      continue;
    }
    const gain = brought(state, page);
    outlook.of(page, hour, until);
    const here = gain - price + (plans.worth[base + hour] as number);
    scores[page] = here - outlook.best(hour, until, gain);
  }
}
