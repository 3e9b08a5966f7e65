/**
 * What refresh policies know about the pages, in typed arrays: about 80 bytes a page. `advance` lets time pass,
 * `observe` takes in a visit; nothing else writes. Policies only read.
 *
 *   w   weight       importance of the page, in [0, 1]
 *   λ   rate         mean changes per hour; λ_k = rate × shape of the slot
 *   ē   importance   mean importance of a change
 *   g   gain         expected emphasis of the live version, not yet captured: g ← g·e^{−λ_k} + e_k·(1 − e^{−λ_k})
 *   Λ   expected     changes expected since the last visit; `survival` = e^{−Λ}
 *   v   value        what a captured version of mean importance adds to the objective
 *
 * Objective. Def. 4 divides each page by its own total, so one version of a page that has N of them in the horizon
 * adds w/N; the mean of 1/N over a Poisson N of mean m (N + 1, counting the current one) is (1 − e^{−m})/m.
 * Pooled, it adds w·ē.
 *
 * Rate. Gamma posterior: `changes` over `hours` (hours weighted by the shape). A gap that saw a change adds
 * Λ/(1 − e^{−Λ}) expected changes; strength is limited, so that a drifting page is followed.
 */
import type { Seconds } from '../../../model/time.ts';
import type { Objective } from '../../quality/completeness.ts';
import type { Finders } from './finders.ts';
import { learnImportance, learnRate, MEMORY } from './learning.ts';
import { rowsAt, type ShapeTable } from './pattern-table.ts';
import { type ToldPages, toldChanges, visitedTold } from './told-pages.ts';
import { type Youth, youngWorth } from './young-pages.ts';

export interface RefreshState {
  /** Number of pages; the arrays may have room for more (more-pages.ts). */
  size: number;
  table: ShapeTable;
  readonly objective: Objective;
  /** Hours over which completeness is to be good. */
  readonly horizon: number;
  /** Hours from one round of visits to the next: no page is visited more often. */
  readonly round: number;
  /** Requests per hour in the long run; a single round may have more or fewer. */
  pace: number;
  now: Seconds;
  /** One of `AVAILABILITY`: only pages that are open are visited. */
  readonly alive: Uint8Array;
  readonly weight: Float32Array;
  readonly row: Int32Array;
  readonly rate: Float32Array;
  readonly changes: Float32Array;
  readonly hours: Float32Array;
  readonly importance: Float32Array;
  /** Number of changes that `importance` averages, capped. */
  readonly importanceSeen: Float32Array;
  readonly value: Float32Array;
  readonly gain: Float32Array;
  readonly expected: Float32Array;
  readonly survival: Float32Array;
  readonly lastVisit: Float64Array;
  readonly visits: Uint32Array;
  /** Visits since the state began, not counting training. */
  readonly sweeps: Uint32Array;
  /** Visits that found nothing new, and hours between visits: for Cho's estimator. */
  readonly unchanged: Uint32Array;
  readonly watched: Float32Array;
  /** Hours to the next visit under the adaptive-interval rule. */
  readonly interval: Float32Array;
  /** Requests per visit. `value` is divided by it: everything is weighed per request. */
  readonly cost: Float32Array;
  /** 1: its first guess was learnt from similar pages, so it needs no survey. */
  readonly borrowed: Uint8Array;
  /** What signals say; absent where there are none. */
  told?: ToldPages;
  /** Pages that show others, and pages whose rate falls as they age. Absent where these are not tracked. */
  finders?: Finders;
  young?: Map<number, Youth>;
}

/** `resting`: alive, but not to be visited now: its site is being captured, or its window is closed. */
export const AVAILABILITY = { gone: 0, open: 1, resting: 2 } as const;

export interface PageKnowledge {
  readonly weight?: number;
  readonly row?: number;
  /** Changes per hour, and the number of changes this rests on. */
  readonly rate?: number;
  readonly evidence?: number;
  readonly importance?: number;
  /** Past visits, for Cho's estimator: how many, how many of them found nothing, and hours between them in total. */
  readonly visits?: number;
  readonly unchanged?: number;
  readonly watched?: number;
  /** Requests per visit; 1 by default. */
  readonly cost?: number;
  readonly borrowed?: boolean;
}

export interface StateOptions {
  readonly table: ShapeTable;
  readonly now: Seconds;
  readonly objective?: Objective;
  readonly horizon?: number;
  readonly round?: number;
  /** By default, one visit per page and day. */
  readonly pace?: number;
}

export const REFRESH = {
  /** Hours: 60 days. */
  horizon: 1440,
  /**
   * Changes per hour of an unknown page. Rather too high than too low: the first visit that finds nothing corrects it, while a page
   * that had changed at every visit, all of them longer apart than its versions live, never shows how much faster it is.
   */
  rate: 0.3,
  /** Number of changes that the first guess counts as. */
  priorStrength: 0.5,
  importance: 0.1,
  /** Hours; Nutch starts at 30 days, for pages of the whole web. */
  interval: 24,
  intervalGrowth: 0.4,
  intervalCut: 0.2,
  maxInterval: 365 * 24,
} as const;

export function newState(pages: readonly PageKnowledge[], options: StateOptions): RefreshState {
  const size = pages.length;
  const floats = () => new Float32Array(size);
  const state: RefreshState = {
    size,
    table: options.table,
    objective: options.objective ?? 'per-page',
    horizon: options.horizon ?? REFRESH.horizon,
    round: options.round ?? 1,
    pace: options.pace ?? size / 24,
    now: options.now,
    alive: new Uint8Array(size).fill(1),
    weight: floats(),
    row: new Int32Array(size),
    rate: floats(),
    changes: floats(),
    hours: floats(),
    importance: floats(),
    importanceSeen: floats(),
    value: floats(),
    gain: floats(),
    expected: floats(),
    survival: floats().fill(1),
    lastVisit: new Float64Array(size).fill(options.now),
    visits: new Uint32Array(size),
    sweeps: new Uint32Array(size),
    unchanged: new Uint32Array(size),
    watched: floats(),
    interval: floats().fill(REFRESH.interval),
    cost: floats().fill(1),
    borrowed: new Uint8Array(size),
  };
  pages.forEach((page, index) => {
    know(state, index, page);
  });
  return state;
}

/** Sets what is known of a page from elsewhere: training, its group, its importance. */
export function know(state: RefreshState, page: number, known: PageKnowledge): void {
  const weight = known.weight ?? 1;
  const row = known.row ?? 0;
  if (!(weight >= 0 && weight <= 1))
    throw new RangeError(`importance of page ${page} must be in [0, 1]: ${weight}`);
  if (!(row >= 0 && row < state.table.rows))
    throw new RangeError(`page ${page} points to no pattern: ${row}`);
  state.weight[page] = weight;
  state.row[page] = row;
  const memory = MEMORY[state.objective];
  const strength = Math.min(memory.rate, Math.max(REFRESH.priorStrength, known.evidence ?? 0));
  const rate = Math.max(1e-7, known.rate ?? REFRESH.rate);
  state.changes[page] = strength;
  state.hours[page] = strength / rate;
  state.importance[page] = known.importance ?? REFRESH.importance;
  state.importanceSeen[page] = Math.min(memory.importance, Math.max(1, known.evidence ?? 0));
  state.visits[page] = known.visits ?? 0;
  state.unchanged[page] = known.unchanged ?? 0;
  state.watched[page] = known.watched ?? 0;
  state.cost[page] = known.cost ?? 1;
  state.borrowed[page] = known.borrowed ? 1 : 0;
  settle(state, page);
}

/** Derives rate and value from the sums. */
export function settle(state: RefreshState, page: number): void {
  const base = (state.changes[page] as number) / (state.hours[page] as number);
  const youth = state.young?.get(page);
  state.rate[page] = youth ? base * youth.hazard : base;
  const importance = state.importance[page] as number;
  const versions = base * (youth ? youth.lifetime : state.horizon);
  const worth =
    state.objective === 'pooled'
      ? importance
      : youth
        ? youngWorth(versions, importance)
        : -Math.expm1(-versions) / versions;
  state.value[page] = ((state.weight[page] as number) * worth) / (state.cost[page] as number);
}

/** Hours since the last visit, each weighted by the page's pattern. */
export function patternHours(state: RefreshState, page: number): number {
  const { rate, expected, told, young } = state;
  // Its rate has changed since.
  if (young?.has(page)) return (state.now - (state.lastVisit[page] as number)) / 3600;
  const changes = expected[page] as number;
  const elapsed = told ? toldChanges(told, page, changes).elapsed : changes;
  return elapsed / (rate[page] as number);
}

/** Lets time pass up to `now`, slot by slot. One exponential per page and slot. */
export function advance(state: RefreshState, now: Seconds): void {
  if (!(now >= state.now)) throw new RangeError(`time runs forward: ${now} is before ${state.now}`);
  const longest = Math.min(3600, ...state.table.plans.map((plan) => plan.period));
  while (state.now < now) {
    const until = Math.min(now, state.now + longest);
    // The slot at the midpoint: a step from hour to hour lies within one slot.
    step(state, (until - state.now) / 3600, (state.now + until) / 2);
    state.now = until;
  }
}

function step(state: RefreshState, hours: number, middle: Seconds): void {
  const { size, row, rate, gain, expected, survival } = state;
  const at = rowsAt(state.table, middle);
  const shape = at.shape.map((value) => value * hours);
  const emphasis = at.emphasis;
  for (let page = 0; page < size; page++) {
    const pattern = row[page] as number;
    const changes = (rate[page] as number) * (shape[pattern] as number);
    const stays = Math.exp(-changes);
    gain[page] = (gain[page] as number) * stays + (emphasis[pattern] as number) * (1 - stays);
    survival[page] = (survival[page] as number) * stays;
    expected[page] = (expected[page] as number) + changes;
  }
}

export type RefreshOutcome =
  | { readonly kind: 'unchanged' }
  /** Importance compared with the version captured before, in [0, 1]. */
  | { readonly kind: 'changed'; readonly importance: number }
  /** Gone for good: no policy requests it again. */
  | { readonly kind: 'gone' };

/** Takes in a visit at `state.now`. */
export function observe(state: RefreshState, page: number, outcome: RefreshOutcome): void {
  if (!(page >= 0 && page < state.size)) throw new RangeError(`no page ${page}`);
  if (outcome.kind === 'gone') {
    state.alive[page] = 0;
    return;
  }
  const changed = outcome.kind === 'changed';
  if (changed && !(outcome.importance >= 0 && outcome.importance <= 1)) {
    throw new RangeError(`importance must be in [0, 1], not ${outcome.importance}`);
  }
  state.sweeps[page] = (state.sweeps[page] as number) + 1;
  const waited = (state.now - (state.lastVisit[page] as number)) / 3600;
  if (waited > 0) {
    learnRate(state, page, changed);
    state.watched[page] = (state.watched[page] as number) + waited;
    state.visits[page] = (state.visits[page] as number) + 1;
    if (!changed) state.unchanged[page] = (state.unchanged[page] as number) + 1;
    const factor = changed ? 1 - REFRESH.intervalCut : 1 + REFRESH.intervalGrowth;
    state.interval[page] = Math.min(
      REFRESH.maxInterval,
      // Not below a round: otherwise a page that always changes would crowd out all others.
      Math.max(state.round, (state.interval[page] as number) * factor),
    );
  }
  // Visits triggered by reported sizes saw the largest changes: there the mean is learnt from the reports (watch/hearsay.ts).
  if (changed && !state.told?.sized[page]) learnImportance(state, page, outcome.importance);
  settle(state, page);
  state.lastVisit[page] = state.now;
  state.gain[page] = 0;
  state.expected[page] = 0;
  state.survival[page] = 1;
  if (state.told) visitedTold(state.told, page);
}
