/**
 * `sharp-and-clear` (ours; the paper's future work): one capture for both uses, many sharp pages for proof and
 * little blur for reading.
 *
 * Maximises Σ w_i·(e^{−Λ_i(v_i, r_i)} − μ·λ_i·ω(v_i, r_i)/T): expected sharp pages less μ times the expected
 * blur, where Λ_i(v, r) is the expected number of changes between visit and revisit. All visits come before all
 * revisits, so every interval holds the middle and sharp pages share a date, but intervals need not be mirrored.
 *
 * Choosing visits and revisits together is a three-dimensional assignment (NP-hard in general). It is climbed by
 * swaps: two pages exchange their visits, their revisits or both wherever that is worth more, from two starts: nested
 * intervals (best for sharpness) and the same order twice (best for blur). The better end wins. Never worse than
 * either start; not proven optimal: two sweeps, after which more gained next to nothing. Exact assignments in turns
 * (all visits, then all revisits) were given up as too slow.
 *
 * Rates may vary with the time of day: `expectedChanges(page, t)` is then the integral of the page's rate from 0
 * to t. Without it changes are as likely at any time.
 */
import { penaltyEq19 } from './blur.ts';
import { sharcRevisits } from './organ-pipe.ts';
import { orderByRate } from './rate-order.ts';
import { checkSite, type RevisitSchedule, ScheduleInputError, type SiteToCapture } from './schedule.ts';
import { sharcThreshold } from './sharc-threshold.ts';

export interface SharpAndClearOptions {
  /** μ: sharp pages that one unit of blur is worth. 0: sharp pages only. */
  readonly blurWeight?: number;
  /** Expected changes of a page from the start of the capture to this time; grows with time. */
  readonly expectedChanges?: (page: number, time: number) => number;
  /** Sweeps over all pairs, at most, per start. */
  readonly sweeps?: number;
}

export const SHARP_AND_CLEAR = { blurWeight: 0.1, sweeps: 2 } as const;

export interface SharpAndClear extends RevisitSchedule {
  readonly value: number;
}

export function sharpAndClear(site: SiteToCapture, options: SharpAndClearOptions = {}): SharpAndClear {
  checkSite(site);
  const mu = options.blurWeight ?? SHARP_AND_CLEAR.blurWeight;
  if (!(mu >= 0)) throw new ScheduleInputError(`the weight of blur must be >= 0, not ${mu}`);
  const climb = new Climb(site, mu, options.expectedChanges);
  const sweeps = options.sweeps ?? SHARP_AND_CLEAR.sweeps;
  const ends = [sharcThreshold(site), sharcRevisits(site)].map((start) => climb.from(start, sweeps));
  return ends.reduce((best, end) => (end.value > best.value ? end : best));
}

/** The smallest gain that is not rounding. */
const WORTH_A_SWAP = 1e-9;
/** Up to this many pages all pairs are tried; beyond, pairs at Fibonacci distances in the order of rates. */
const ALL_PAIRS = 2_500;

class Climb {
  readonly #site: SiteToCapture;
  readonly #mu: number;
  readonly #end: number;
  readonly #order: Uint32Array;
  /** Λ and ∫tλ from 0 to each half slot, by page; only where rates vary with time. */
  readonly #moments: readonly Moments[] | undefined;

  constructor(site: SiteToCapture, mu: number, changes: SharpAndClearOptions['expectedChanges']) {
    this.#site = site;
    this.#mu = mu;
    const size = site.rates.length;
    this.#end = Math.max(0, 2 * size - 1) * site.delay;
    this.#order = orderByRate(site.rates);
    if (changes) {
      this.#moments = Array.from({ length: size }, (_, page) =>
        momentsOf((time) => changes(page, time), 4 * size - 1, site.delay / 2),
      );
    }
  }

  from(start: RevisitSchedule, sweeps: number): SharpAndClear {
    const { delay } = this.#site;
    const visits = Int32Array.from(start.visits, (time) => Math.round(time / delay));
    const revisits = Int32Array.from(start.revisits, (time) => Math.round(time / delay));
    const worth = Float64Array.from(visits, (visit, page) =>
      this.#worth(page, visit, revisits[page] as number),
    );
    for (let sweep = 0; sweep < sweeps; sweep++) if (this.#sweep(visits, revisits, worth) === 0) break;
    const time = (slot: number): number => slot * delay;
    return {
      visits: Float64Array.from(visits, time),
      revisits: Float64Array.from(revisits, time),
      value: worth.reduce((a, b) => a + b, 0),
    };
  }

  /** Tries every pair once; returns the number of swaps made. */
  #sweep(visits: Int32Array, revisits: Int32Array, worth: Float64Array): number {
    const size = visits.length;
    const steps = distances(size);
    let swaps = 0;
    // One page against all others: its tables stay in the cache.
    for (let k = 0; k < size; k++) {
      const a = this.#order[k] as number;
      for (const distance of steps) {
        if (k + distance >= size) break;
        if (this.#swap(a, this.#order[k + distance] as number, visits, revisits, worth)) swaps++;
      }
    }
    return swaps;
  }

  #swap(a: number, b: number, visits: Int32Array, revisits: Int32Array, worth: Float64Array): boolean {
    const va = visits[a] as number;
    const vb = visits[b] as number;
    const ra = revisits[a] as number;
    const rb = revisits[b] as number;
    const now = (worth[a] as number) + (worth[b] as number) + WORTH_A_SWAP;
    const crossedA = this.#worth(a, vb, ra);
    const crossedB = this.#worth(b, va, rb);
    if (crossedA + crossedB > now) {
      visits[a] = vb;
      visits[b] = va;
      worth[a] = crossedA;
      worth[b] = crossedB;
      return true;
    }
    const turnedA = this.#worth(a, va, rb);
    const turnedB = this.#worth(b, vb, ra);
    if (turnedA + turnedB > now) {
      revisits[a] = rb;
      revisits[b] = ra;
      worth[a] = turnedA;
      worth[b] = turnedB;
      return true;
    }
    const otherA = this.#worth(a, vb, rb);
    const otherB = this.#worth(b, va, ra);
    if (otherA + otherB <= now) return false;
    visits[a] = vb;
    visits[b] = va;
    revisits[a] = rb;
    revisits[b] = ra;
    worth[a] = otherA;
    worth[b] = otherB;
    return true;
  }

  #worth(page: number, visit: number, revisit: number): number {
    const { delay, rates, weights } = this.#site;
    const weight = weights ? (weights[page] as number) : 1;
    const moments = this.#moments?.[page];
    if (moments) return weight * worthByMoments(moments, visit, revisit, delay / 2, this.#mu / this.#end);
    const rate = rates[page] as number;
    const sharp = Math.exp(-rate * (revisit - visit) * delay);
    return (
      weight *
      (sharp - (this.#mu * rate * penaltyEq19(visit * delay, revisit * delay, this.#end)) / this.#end)
    );
  }
}

/**
 * Λ(0, t) and ∫ t·λ(t) dt from 0 to t, at every half slot, side by side: a worth needs both at three places of a
 * table too large for the cache.
 */
type Moments = Float64Array;

function momentsOf(expected: (time: number) => number, halves: number, half: number): Moments {
  const moments = new Float64Array(2 * halves);
  let timed = 0;
  for (let k = 0; k < halves; k++) {
    const count = expected(k * half);
    if (k > 0) timed += (count - (moments[2 * k - 2] as number)) * (k - 0.5) * half;
    moments[2 * k] = count;
    moments[2 * k + 1] = timed;
  }
  return moments;
}

/**
 * e^{−Λ(visit, revisit)} − cost·(Eq. 23 in expectation): each change blurs by its distance from the border of the
 * version that answers for it.
 */
function worthByMoments(
  moments: Moments,
  visit: number,
  revisit: number,
  half: number,
  cost: number,
): number {
  const v = 4 * visit;
  const r = 4 * revisit;
  const m = 2 * (visit + revisit);
  const e = moments.length - 2;
  const cv = moments[v] as number;
  const cr = moments[r] as number;
  const cm = moments[m] as number;
  const middle = (visit + revisit) * half;
  const blur =
    2 * ((moments[v + 1] as number) - (moments[m + 1] as number) + (moments[r + 1] as number)) +
    middle * (2 * cm - cv - cr) +
    (e / 2) * half * ((moments[e] as number) - cr) -
    (moments[e + 1] as number);
  return Math.exp(cv - cr) - cost * blur;
}

function distances(size: number): number[] {
  if (size <= ALL_PAIRS) return Array.from({ length: Math.max(0, size - 1) }, (_, k) => k + 1);
  const list = [1, 2];
  for (let next = 3; next < size; next = (list.at(-1) as number) + (list.at(-2) as number)) list.push(next);
  return list;
}
