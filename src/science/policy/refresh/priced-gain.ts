/**
 * `priced-gain`: plan each page's visits against a price per hour, then take the pages that would lose most by waiting.
 *
 * Lagrangian relaxation: with a price c_k on a visit in hour k of the day, pages part, and each has a plan of its own:
 *
 *   V(s) = max over t > s of R(s, t) − c_{k(t)} + V(t),   R(s, t) = v·g after t − s hours from a visit at s
 *
 * solved backwards over the hours ahead. The prices are those under which the plans together ask for the budget in
 * every hour: raised where more visits are asked for, lowered where fewer. The score of a page now is what a visit now is worth
 * against the best later one: R(s, now) − c + V(now) − max over t > now of R(s, t) − c + V(t).
 *
 * Cost: pages × hours² per price round, so plans are made once a day of the state's time; between, a score looks up V and
 * costs one pass over the hours ahead. For thousands of pages, not millions: that is what `expected-gain` is for.
 *
 * Departure from an exact plan: the look-ahead ends after `AHEAD` hours; slow pages, whose best gap is longer, are scored by
 * the closed form at the same price, which needs no horizon.
 */
import type { Seconds } from '../../../model/time.ts';
import { marginalScores, percent } from './expected-gain.ts';
import { rowsAt } from './pattern-table.ts';
import { hoursSince, type RefreshPolicy, scoredPolicy } from './policy.ts';
import type { RefreshState } from './state.ts';

/** Hours planned ahead. A week would see the weekend coming; three days cost a fifth. */
const AHEAD = 72;
const ROUNDS = 6;

interface Plans {
  readonly from: Seconds;
  /** Price of a visit at each hour ahead. */
  readonly price: Float64Array;
  /** V per page and hour ahead. */
  readonly worth: Float32Array;
  /** Prices by hour of the day, to begin the next plan with. */
  readonly byHour: Float64Array;
  readonly shape: readonly Float32Array[];
  readonly emphasis: readonly Float32Array[];
}

export function pricedGain(): RefreshPolicy {
  const known = new WeakMap<RefreshState, Plans>();
  return scoredPolicy(
    'priced-gain',
    (state, now, scores) => {
      let plans = known.get(state);
      if (!plans || now - plans.from >= 86_400 || now < plans.from) {
        plans = plan(state, now, plans?.byHour);
        known.set(state, plans);
      }
      score(state, now, plans, scores);
    },
    (state, page, score_) =>
      `${score_.toPrecision(3)} better now than later, ${percent(1 - (state.survival[page] as number))} likely to have ` +
      `changed in ${hoursSince(state, page).toFixed(1)} h`,
  );
}

function plan(state: RefreshState, now: Seconds, before: Float64Array | undefined): Plans {
  const budget = state.pace;
  const hours = 2 * AHEAD;
  const at = Array.from({ length: hours + 1 }, (_, hour) => rowsAt(state.table, now + (hour - 0.5) * 3600));
  const plans: Plans = {
    from: now,
    price: new Float64Array(hours + 1),
    worth: new Float32Array(state.size * (hours + 1)),
    byHour: before?.slice() ?? new Float64Array(24).fill(firstPrice(state, budget)),
    shape: at.map(({ shape }) => shape),
    emphasis: at.map(({ emphasis }) => emphasis),
  };
  const next = new Int32Array(hours + 1);
  for (let round = 0; round < ROUNDS; round++) {
    for (let hour = 0; hour <= hours; hour++)
      plans.price[hour] = plans.byHour[hourOfDay(now, hour)] as number;
    const asked = new Float64Array(24);
    for (let page = 0; page < state.size; page++) {
      if (state.alive[page] === 1) planPage(state, page, plans, next, asked, now);
    }
    for (let hour = 0; hour < 24; hour++) {
      // Two days of demand are counted, after the first hours, which only work off what is due.
      const excess = (asked[hour] as number) / (2 * budget) - 1;
      const step = 0.35 / (1 + round / 3);
      plans.byHour[hour] =
        (plans.byHour[hour] as number) * Math.exp(step * Math.max(-1, Math.min(1, excess)));
    }
  }
  return plans;
}

const hourOfDay = (now: Seconds, ahead: number): number => (Math.floor(now / 3600) + ahead) % 24;

/** The score of the last page that the closed form would take. */
function firstPrice(state: RefreshState, budget: number): number {
  const scores = new Float32Array(state.size);
  marginalScores(state, state.now, scores);
  scores.sort();
  const last = scores[Math.max(0, state.size - 1 - Math.floor(budget))] as number;
  return Math.max(1e-6, last);
}

/** V backwards, then the visits of the plan from where the page stands now. */
function planPage(
  state: RefreshState,
  page: number,
  plans: Plans,
  next: Int32Array,
  asked: Float64Array,
  now: Seconds,
): void {
  const hours = plans.price.length - 1;
  const row = state.row[page] as number;
  const rate = state.rate[page] as number;
  const value = state.value[page] as number;
  const base = page * (hours + 1);
  const stays = new Float64Array(hours + 1);
  const comes = new Float64Array(hours + 1);
  for (let hour = 1; hour <= hours; hour++) {
    const stay = Math.exp(-rate * (plans.shape[hour]?.[row] as number));
    stays[hour] = stay;
    comes[hour] = value * (plans.emphasis[hour]?.[row] as number) * (1 - stay);
  }
  const { worth, price } = plans;
  worth[base + hours] = 0;
  next[hours] = hours + 1;
  for (let from = hours - 1; from >= 0; from--) {
    let gain = 0;
    let best = 0;
    let when = hours + 1;
    for (let to = from + 1; to <= hours; to++) {
      gain = gain * (stays[to] as number) + (comes[to] as number);
      const total = gain - (price[to] as number) + (worth[base + to] as number);
      if (total > best) {
        best = total;
        when = to;
      }
    }
    worth[base + from] = best;
    next[from] = when;
  }
  let gain = value * (state.gain[page] as number);
  let best = 0;
  let at = hours + 1;
  for (let to = 1; to <= hours; to++) {
    gain = gain * (stays[to] as number) + (comes[to] as number);
    const total = gain - (price[to] as number) + (worth[base + to] as number);
    if (total > best) {
      best = total;
      at = to;
    }
  }
  for (; at <= hours; at = next[at] as number) {
    if (at > 12 && at <= 60) {
      const hour = hourOfDay(now, at);
      asked[hour] = (asked[hour] as number) + 1;
    }
  }
}

function score(state: RefreshState, now: Seconds, plans: Plans, scores: Float32Array): void {
  const hours = plans.price.length - 1;
  const hour = Math.min(hours - 1, Math.round((now - plans.from) / 3600));
  const price = plans.price[hour] as number;
  marginalScores(state, now, scores);
  for (let page = 0; page < state.size; page++) {
    const row = state.row[page] as number;
    const rate = state.rate[page] as number;
    const value = state.value[page] as number;
    const base = page * (hours + 1);
    // A page that would not pay its price within the plan is ranked by the closed form alone.
    if ((plans.worth[base] as number) <= 0) {
      scores[page] = Math.max(0, 1 + (scores[page] as number) - price);
      continue;
    }
    let gain = value * (state.gain[page] as number);
    const here = gain - price + (plans.worth[base + hour] as number);
    let later = 0;
    for (let to = hour + 1; to <= Math.min(hours, hour + AHEAD); to++) {
      const stay = Math.exp(-rate * (plans.shape[to]?.[row] as number));
      gain = gain * stay + value * (plans.emphasis[to]?.[row] as number) * (1 - stay);
      later = Math.max(later, gain - (plans.price[to] as number) + (plans.worth[base + to] as number));
    }
    // Shifted by one: policies rank by scores of 0 or more, and this advantage may be negative.
    scores[page] = Math.max(0, 1 + here - later);
  }
}
