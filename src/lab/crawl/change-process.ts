import type { Millis } from '../../model/time.ts';
import type { RandomKey } from '../newspaper/random.ts';
import { stream } from '../newspaper/random.ts';

/** A Poisson process, drawn only as far as requested: the same keys give the same times, in whatever order they are requested. */
export class ChangeProcess {
  readonly #start: Millis;
  readonly #meanGap: number;
  readonly #random: { delay(mean: number): number };
  readonly #times: Millis[] = [];

  /** @param rate changes per second */
  constructor(start: Millis, rate: number, keys: readonly RandomKey[]) {
    this.#start = start;
    this.#meanGap = 1000 / rate;
    this.#random = stream('page changes', ...keys);
  }

  /** All changes up to a time, ascending. */
  until(time: Millis): readonly Millis[] {
    return this.#drawn(time).slice(0, this.countAt(time));
  }

  /** Number of changes up to and including a time: the number of the version live then, from 0. */
  countAt(time: Millis): number {
    return countUpTo(this.#drawn(time), time);
  }

  #drawn(time: Millis): readonly Millis[] {
    let last = this.#times.at(-1) ?? this.#start;
    while (last <= time && this.#meanGap < Number.POSITIVE_INFINITY) {
      last += this.#random.delay(this.#meanGap);
      this.#times.push(last);
    }
    return this.#times;
  }
}

/** How many of these ascending times are up to and including a moment. */
export function countUpTo(times: readonly Millis[], time: Millis): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as Millis) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
