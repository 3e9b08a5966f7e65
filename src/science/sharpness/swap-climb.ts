/**
 * Schedules with revisits, improved by swaps: two pages exchange their visits, their revisits or both wherever that
 * is worth more, Σ w_i·(e^{−Λ_i(v_i, r_i)} − μ·blur_i). `sharp-and-clear` climbs with it.
 */
import { penaltyEq19 } from './blur.ts';
import { blurOfVisits, type Moments, momentsOf } from './moments.ts';
import { orderByRate } from './rate-order.ts';
import type { ExpectedChanges, RevisitSchedule, SiteToCapture } from './schedule.ts';

export interface ValuedSchedule extends RevisitSchedule {
  readonly value: number;
}

/** Smallest gain that is more than rounding. */
const WORTH_A_SWAP = 1e-9;
/** Up to this many pages all pairs are tried; beyond, pairs at Fibonacci distances in the order of rates. */
const ALL_PAIRS = 2_500;

export class Climb {
  readonly #site: SiteToCapture;
  /** μ of the current climb. */
  #mu = 0;
  readonly #end: number;
  readonly #order: Uint32Array;
  /** Λ and ∫tλ from 0 to each half slot, by page; only where rates vary with time. */
  readonly #moments: readonly Moments[] | undefined;

  constructor(site: SiteToCapture, changes: ExpectedChanges | undefined) {
    this.#site = site;
    const size = site.rates.length;
    this.#end = Math.max(0, 2 * size - 1) * site.delay;
    this.#order = orderByRate(site.rates);
    if (changes) {
      this.#moments = Array.from({ length: size }, (_, page) =>
        momentsOf((time) => changes(page, time), 4 * size - 1, site.delay / 2),
      );
    }
  }

  /** The same start and μ give the same end. */
  from(start: RevisitSchedule, sweeps: number, mu: number): ValuedSchedule {
    this.#mu = mu;
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

  /** Expected blur, hour by hour where rates vary. */
  blur({ visits, revisits }: RevisitSchedule): number {
    const { delay } = this.#site;
    let sum = 0;
    for (let page = 0; page < visits.length; page++) {
      const visit = Math.round((visits[page] as number) / delay);
      const revisit = Math.round((revisits[page] as number) / delay);
      sum += this.#weight(page) * this.#blur(page, visit, revisit);
    }
    return sum;
  }

  #weight(page: number): number {
    const { weights } = this.#site;
    return weights ? (weights[page] as number) : 1;
  }

  #worth(page: number, visit: number, revisit: number): number {
    const moments = this.#moments?.[page];
    const changes = moments
      ? (moments[4 * revisit] as number) - (moments[4 * visit] as number)
      : (this.#site.rates[page] as number) * (revisit - visit) * this.#site.delay;
    return this.#weight(page) * (Math.exp(-changes) - this.#mu * this.#blur(page, visit, revisit));
  }

  #blur(page: number, visit: number, revisit: number): number {
    if (this.#end === 0) return 0;
    const { delay, rates } = this.#site;
    const moments = this.#moments?.[page];
    // The table is in half slots.
    if (moments) return blurOfVisits(moments, 2 * visit, 2 * revisit, delay / 2) / this.#end;
    return ((rates[page] as number) * penaltyEq19(visit * delay, revisit * delay, this.#end)) / this.#end;
  }
}

function distances(size: number): number[] {
  if (size <= ALL_PAIRS) return Array.from({ length: Math.max(0, size - 1) }, (_, k) => k + 1);
  const list = [1, 2];
  for (let next = 3; next < size; next = (list.at(-1) as number) + (list.at(-2) as number)) list.push(next);
  return list;
}
