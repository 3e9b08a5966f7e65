/**
 * What happened on a set of pages, and what was known before: the ground on which policies are compared.
 *
 * Truth is a list of versions per page. From observations, a change counts from the visit that saw it; a change of
 * importance 0 is a version too (it overwrites, and weighs nothing).
 */

import type { Seconds } from '../../model/time.ts';
import type { Gap, Observation } from '../../science/patterns/observations.ts';
import { gapsOf, ordered } from '../../science/patterns/observations.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import { extentOf } from './time-window.ts';

export interface SimulatedPage {
  readonly name: string;
  /** ω(P), in [0, 1]. */
  readonly weight: number;
  /** What was seen before `start`: empty for a cold start. */
  readonly training: readonly Gap[];
  /** All that appeared in [start, end), in order. */
  readonly versions: readonly PageVersion[];
}

export interface Histories {
  readonly start: Seconds;
  readonly end: Seconds;
  /** IANA name: the local time of the sites. */
  readonly zone: string;
  readonly pages: readonly SimulatedPage[];
  /** Pages left out, since nothing of any weight appeared on them in the test. */
  readonly leftOut: number;
}

export interface WindowOptions {
  /** Days from the first observation to the beginning of the training. */
  readonly from?: number;
  readonly train: number;
  readonly test: number;
  readonly zone?: string;
  readonly weights?: ReadonlyMap<string, number>;
  readonly keep?: (page: string) => boolean;
}

const DAY = 86_400;
/** A gap longer than this says little of the hour of a change, and a lot of an outage of the observer: 12 hours. */
export const LONGEST_GAP = 12 * 3600;

export function historiesFromObservations(
  table: ReadonlyMap<string, readonly Observation[]>,
  options: WindowOptions,
): Histories {
  const { first } = extentOf(table);
  const begin = Math.floor(first / 3600) * 3600 + (options.from ?? 0) * DAY;
  const start = begin + options.train * DAY;
  const end = start + options.test * DAY;
  const pages: SimulatedPage[] = [];
  let leftOut = 0;
  for (const [name, observations] of table) {
    if (options.keep && !options.keep(name)) continue;
    const list = ordered(observations);
    const training = gapsOf(list.filter(({ time }) => time >= begin && time < start)).filter(
      (gap) => gap.to - gap.from <= LONGEST_GAP,
    );
    const versions = list
      .filter(({ time, changed }) => changed && time >= start && time < end)
      .map(({ time, importance }) => ({ time, importance }));
    if (!versions.some(({ importance }) => importance > 0)) leftOut++;
    else pages.push({ name, weight: options.weights?.get(name) ?? 1, training, versions });
  }
  return { start, end, zone: options.zone ?? 'UTC', pages, leftOut };
}

/** From change times alone, training is what a visit every hour would have seen. */
export function historiesFromChanges(
  table: ReadonlyMap<string, readonly PageVersion[]>,
  options: WindowOptions,
): Histories {
  const observations = new Map<string, Observation[]>();
  const { first, last } = extentOf(table);
  const begin = Math.floor(first / 3600) * 3600;
  for (const [name, changes] of table) {
    observations.set(
      name,
      hourly(changes, begin, Math.min(last, begin + (options.from ?? 0) * DAY + options.train * DAY)),
    );
  }
  const trained = historiesFromObservations(observations, options);
  const pages: SimulatedPage[] = [];
  let leftOut = 0;
  for (const [name, changes] of table) {
    if (options.keep && !options.keep(name)) continue;
    const versions = [...changes]
      .sort((a, b) => a.time - b.time)
      .filter(({ time }) => time >= trained.start && time < trained.end);
    const gaps = gapsOf(observations.get(name) ?? []).filter(
      (gap) => gap.to <= trained.start && gap.from >= trained.start - options.train * DAY,
    );
    if (!versions.some(({ importance }) => importance > 0)) leftOut++;
    else pages.push({ name, weight: options.weights?.get(name) ?? 1, training: gaps, versions });
  }
  return { ...trained, pages, leftOut };
}

function hourly(changes: readonly PageVersion[], begin: Seconds, end: Seconds): Observation[] {
  const list = [...changes].sort((a, b) => a.time - b.time);
  const result: Observation[] = [{ time: begin, changed: false, importance: 0 }];
  let next = 0;
  for (let time = begin + 3600; time <= end; time += 3600) {
    let stays = 1;
    let changed = false;
    while (next < list.length && (list[next] as PageVersion).time <= time) {
      stays *= 1 - (list[next++] as PageVersion).importance;
      changed = true;
    }
    result.push({ time, changed, importance: 1 - stays });
  }
  return result;
}
