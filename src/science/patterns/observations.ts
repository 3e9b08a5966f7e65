/**
 * What visits say about a page: between two of them it changed, or did not. Input comes in any order and may hold the
 * same moment twice; a visit that saw nothing new is as informative as one that did.
 */
import type { Seconds } from '../../model/time.ts';

export interface Observation {
  readonly time: Seconds;
  readonly changed: boolean;
  /** Importance of the change against the version seen before, in [0, 1]; 0 where nothing changed. */
  readonly importance: number;
}

/** The time between two visits. */
export interface Gap {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly changed: boolean;
  readonly importance: number;
}

export class ObservationError extends RangeError {}

/** In order of time; two observations of one moment become one: changed if either is, with the greater importance. */
export function ordered(observations: readonly Observation[]): Observation[] {
  const result: Observation[] = [];
  for (const next of [...observations].sort((a, b) => a.time - b.time)) {
    if (!Number.isFinite(next.time)) throw new ObservationError(`time must be a number, not ${next.time}`);
    if (!(next.importance >= 0 && next.importance <= 1)) {
      throw new ObservationError(`importance must be in [0, 1], not ${next.importance}`);
    }
    const last = result[result.length - 1];
    if (last?.time !== next.time) result.push(next);
    else {
      result[result.length - 1] = {
        time: last.time,
        changed: last.changed || next.changed,
        importance: Math.max(last.importance, next.importance),
      };
    }
  }
  return result;
}

/** The gaps between ordered observations: one fewer than these. The first observation only opens the first gap. */
export function gapsOf(observations: readonly Observation[]): Gap[] {
  const list = ordered(observations);
  return list.slice(1).map(({ time, changed, importance }, index) => ({
    from: (list[index] as Observation).time,
    to: time,
    changed,
    importance: changed ? importance : 0,
  }));
}
