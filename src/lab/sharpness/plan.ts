/**
 * `lab sharc`: one strategy on given rates: when each page is visited, what that promises, and, if the times of the
 * changes are known, what came of it.
 */
import { captureInterval, expectedBlur, type Interval, pageBlur } from '../../science/sharpness/blur.ts';
import { bestDate } from '../../science/sharpness/dating.ts';
import { exactBlur, exactPageBlur } from '../../science/sharpness/exact-blur.ts';
import { multiVisit } from '../../science/sharpness/multi-visit.ts';
import {
  type RevisitSchedule,
  type Schedule,
  ScheduleInputError,
  type SiteToCapture,
} from '../../science/sharpness/schedule.ts';
import { expectedSharp, sharpPages } from '../../science/sharpness/sharp-pages.ts';
import { STRATEGY_NAMES, strategy } from '../../science/sharpness/strategies.ts';
import { drawChanges } from './synthetic-site.ts';

export const MULTI_VISIT = 'multi-visit';
export const THRESHOLD = 'sharc-threshold';
export const CLEAR = 'sharp-and-clear';
export const PLAN_STRATEGIES: readonly string[] = [...STRATEGY_NAMES, MULTI_VISIT];

export interface PlanOptions {
  readonly strategy: string;
  /** Observation interval; by default the capture's own. */
  readonly observe?: Interval | undefined;
  /** τ of SHARC-threshold. */
  readonly threshold?: number | undefined;
  /** μ of sharp-and-clear. */
  readonly blurWeight?: number | undefined;
  /** Downloads in multi-visit; by default two per page. */
  readonly budget?: number | undefined;
  /** For each page, the times at which it did change. */
  readonly changes?: readonly ArrayLike<number>[] | undefined;
  /** Number of histories to draw from the rates. */
  readonly trials?: number | undefined;
  readonly seed?: string | number | undefined;
}

/** The plan, with its results on known or drawn changes. */
export interface PlanResult {
  readonly strategy: string;
  /** By page, in the given order. Multi-visit: the first of its `times`. */
  readonly visits: readonly number[];
  /** Empty unless pages are visited in pairs. */
  readonly revisits: readonly number[];
  /** Multi-visit: all visits of each page. */
  readonly times?: readonly (readonly number[])[];
  readonly observe: Interval;
  /** Expected. */
  readonly blur: number;
  /** Expected number of sharp pages, with revisits only; null otherwise. */
  readonly expectedSharp: number | null;
  /** With known changes and revisits: how many pages were sharp, and which; null otherwise. */
  readonly sharp: number | null;
  readonly sharpPages: readonly number[] | null;
  /** The time that the largest number of sharp pages prove, and that number. */
  readonly date: { readonly time: number; readonly range: Interval; readonly proven: number } | null;
  /** With known changes only. */
  readonly exactBlur: number | null;
  /** Means over histories drawn from the rates. */
  readonly drawn?: { readonly trials: number; readonly exactBlur: number; readonly sharp: number | null };
}

export function plan(site: SiteToCapture, options: PlanOptions): PlanResult {
  checkOptions(options);
  return options.strategy === MULTI_VISIT ? planManyVisits(site, options) : planVisits(site, options);
}

function checkOptions({ strategy: name, threshold, blurWeight, budget, observe }: PlanOptions): void {
  const only = (what: string, given: unknown, goes: string): void => {
    if (given !== undefined && name !== goes) {
      throw new ScheduleInputError(`${what} goes with the strategy ${goes}, not with ${name}`);
    }
  };
  only('a threshold', threshold, THRESHOLD);
  only('a weight of blur', blurWeight, CLEAR);
  only('a budget', budget, MULTI_VISIT);
  if (observe && !(observe[0] <= observe[1])) {
    throw new ScheduleInputError(`the observation interval ends at ${observe[1]}, before ${observe[0]}`);
  }
}

const hasRevisits = (schedule: Schedule): schedule is RevisitSchedule => schedule.revisits !== undefined;

function planVisits(site: SiteToCapture, options: PlanOptions): PlanResult {
  const { threshold, blurWeight, changes } = options;
  const schedule = strategy(options.strategy).schedule(site, {
    threshold,
    ...(blurWeight === undefined ? {} : { blurWeight }),
  });
  const observe = options.observe ?? captureInterval(site, schedule.revisits ? 2 : 1);
  const sharp = changes && hasRevisits(schedule) ? sharpPages(changes, schedule) : null;
  const measure = (history: readonly ArrayLike<number>[]): Measured => ({
    exactBlur: exactBlur(history, schedule, observe, site.weights),
    sharp: hasRevisits(schedule) ? sharpPages(history, schedule).length : null,
  });
  return {
    strategy: options.strategy,
    visits: Array.from(schedule.visits),
    revisits: Array.from(schedule.revisits ?? []),
    observe,
    blur: expectedBlur(site, schedule, observe),
    expectedSharp: hasRevisits(schedule) ? expectedSharp(site, schedule) : null,
    sharp: sharp?.length ?? null,
    sharpPages: sharp,
    date: sharp && hasRevisits(schedule) ? dateOf(sharp, schedule) : null,
    exactBlur: changes ? measure(changes).exactBlur : null,
    ...draw(site, observe, options, measure),
  };
}

function dateOf(pages: readonly number[], schedule: RevisitSchedule): PlanResult['date'] {
  const found = bestDate(
    pages.map((page) => [schedule.visits[page] as number, schedule.revisits[page] as number]),
  );
  return found ? { time: found.time, range: found.range, proven: found.proven } : null;
}

/** Any number of visits per page: two of them prove no more than the others. */
function planManyVisits(site: SiteToCapture, options: PlanOptions): PlanResult {
  const { times, end } = multiVisit(site, options.budget ?? 2 * site.rates.length);
  const observe = options.observe ?? ([0, end] as const);
  const sum = (blurOf: (page: number, visits: Float64Array) => number): number =>
    times.reduce((total, visits, page) => total + (site.weights?.[page] ?? 1) * blurOf(page, visits), 0);
  const measure = (history: readonly ArrayLike<number>[]): Measured => ({
    exactBlur: sum((page, visits) => exactPageBlur(history[page] ?? [], visits, observe)),
    sharp: null,
  });
  return {
    strategy: options.strategy,
    visits: times.map(([first]) => first as number),
    revisits: [],
    times: times.map((list) => Array.from(list)),
    observe,
    blur: sum((page, visits) => pageBlur(site.rates[page] as number, visits, observe)),
    expectedSharp: null,
    sharp: null,
    sharpPages: null,
    date: null,
    exactBlur: options.changes ? measure(options.changes).exactBlur : null,
    ...draw(site, observe, options, measure),
  };
}

interface Measured {
  readonly exactBlur: number;
  readonly sharp: number | null;
}

function draw(
  site: SiteToCapture,
  observe: Interval,
  { trials = 0, seed = 1 }: PlanOptions,
  measure: (history: readonly ArrayLike<number>[]) => Measured,
): Pick<PlanResult, 'drawn'> {
  if (trials === 0) return {};
  const last = Math.max(observe[1], 2 * site.rates.length * site.delay);
  const all = Array.from({ length: trials }, (_, trial) =>
    measure(drawChanges(site.rates, [Math.min(0, observe[0]), last], seed, trial)),
  );
  const mean = (value: (one: Measured) => number): number =>
    all.reduce((total, one) => total + value(one), 0) / trials;
  const sharp = all.every((one) => one.sharp !== null) ? mean((one) => one.sharp ?? 0) : null;
  return { drawn: { trials, exactBlur: mean((one) => one.exactBlur), sharp } };
}
