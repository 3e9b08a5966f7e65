/**
 * The one interface of all download schedules: a site as known before (or during) a capture goes in, the
 * times of the visits come out. Pure: the same code plans a live capture and a simulated one.
 *
 * Times are in the caller's unit (rates are per that unit) and count from the start of the capture.
 */

/** A site to be captured. Pages are indices 0..n, in the caller's order; every array is indexed by page. */
export interface SiteToCapture {
  /** λ: expected changes per unit of time. */
  readonly rates: ArrayLike<number>;
  /** Δ: time between two requests to the site, > 0. */
  readonly delay: number;
  /** Importance of a page, ≥ 0; 1 each when absent. */
  readonly weights?: ArrayLike<number> | undefined;
  /** Pages a page links to. When absent, all pages are known from the start. */
  readonly links?: ((page: number) => readonly number[]) | undefined;
  /** Entry pages; page 0 when absent and `links` is given. */
  readonly seeds?: readonly number[] | undefined;
  /** Pages known before the capture, from an earlier one; used by orders that discover the site. */
  readonly known?: readonly number[] | undefined;
  /** Directory of each page, any text; used by `explore-first`. */
  readonly directories?: readonly string[] | undefined;
  /** Estimated number of pages, for schedules that discover the site; 0: unknown; the true number when absent. */
  readonly estimatedSize?: number | undefined;
  /** Utility of Olston and Pandey per page, from its history; the rate stands in when absent. */
  readonly utilities?: ArrayLike<number> | undefined;
}

/** Λ: expected changes of a page from the start of the capture to this time; grows with time. */
export type ExpectedChanges = (page: number, time: number) => number;

/** When each page is fetched; `visits[i]` is the time of page i. */
export interface Schedule {
  readonly visits: Float64Array;
  /** Second visit of each page; absent for single-visit schedules. */
  readonly revisits?: Float64Array;
}

export interface RevisitSchedule extends Schedule {
  readonly revisits: Float64Array;
}

/** Input from which no schedule can be made: the caller must correct it. */
export class ScheduleInputError extends RangeError {
  override readonly name = 'ScheduleInputError';
}

export function checkSite(site: SiteToCapture): void {
  const n = site.rates.length;
  if (!(site.delay > 0) || !Number.isFinite(site.delay)) {
    throw new ScheduleInputError(`the delay must be a finite number > 0, not ${site.delay}`);
  }
  checkNonNegative('change rate', site.rates);
  if (site.weights) {
    checkLength('weights', site.weights.length, n);
    checkNonNegative('weight', site.weights);
  }
  if (site.utilities) {
    checkLength('utilities', site.utilities.length, n);
    checkNonNegative('utility', site.utilities);
  }
  if (site.directories) checkLength('directories', site.directories.length, n);
  if (site.estimatedSize !== undefined && !(site.estimatedSize >= 0 && Number.isFinite(site.estimatedSize))) {
    throw new ScheduleInputError(`the estimated size must be a finite number ≥ 0, not ${site.estimatedSize}`);
  }
  for (const seed of site.seeds ?? []) {
    if (!Number.isInteger(seed) || seed < 0 || seed >= n) {
      throw new ScheduleInputError(`seed ${seed} is no page: the site has ${n}`);
    }
  }
}

function checkLength(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw new ScheduleInputError(`${got} ${what} for ${wanted} pages`);
}

export function checkNonNegative(what: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value >= 0) || value === Number.POSITIVE_INFINITY) {
      throw new ScheduleInputError(`the ${what} of page ${i} is ${value}: it must be a finite number >= 0`);
    }
  }
}

/** Times of pages fetched in this order, one slot each, from `firstSlot` on. */
export function timesOfOrder(order: ArrayLike<number>, delay: number, firstSlot = 0): Float64Array {
  const times = new Float64Array(order.length);
  for (let slot = 0; slot < order.length; slot++) {
    times[order[slot] as number] = (firstSlot + slot) * delay;
  }
  return times;
}

/** The same order twice, the second pass right after the first: how single-visit schedules get revisits. */
export function doubled(schedule: Schedule, delay: number): RevisitSchedule {
  const round = schedule.visits.length * delay;
  return { visits: schedule.visits, revisits: schedule.visits.map((time) => time + round) };
}
