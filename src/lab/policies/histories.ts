/**
 * What happened on a set of pages, and what was known before: the basis on which policies are compared.
 *
 * Truth is a list of versions per page. From observations, a change counts from the visit that saw it; a change of
 * importance 0 is a version too (it replaces the previous one, and weighs nothing).
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
  /** Gaps observed before `start`: empty for a cold start. */
  readonly training: readonly Gap[];
  /** All versions that appeared in [start, end), in order. */
  readonly versions: readonly PageVersion[];
}

export interface Histories {
  readonly start: Seconds;
  readonly end: Seconds;
  /** IANA name: the local time of the sites. */
  readonly zone: string;
  readonly pages: readonly SimulatedPage[];
  /** Pages left out, because nothing of any weight appeared on them in the test. */
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
/** A longer gap says little about the hour of a change, and more about an outage of the observer: 12 hours. */
export const LONGEST_GAP = 12 * 3600;

/** Training and versions of one page, by its name. */
type PageOf<T> = (rows: readonly T[], name: string) => Pick<SimulatedPage, 'training' | 'versions'>;

function pagesOf<T>(
  table: ReadonlyMap<string, readonly T[]>,
  { keep, weights }: WindowOptions,
  pageOf: PageOf<T>,
): Pick<Histories, 'pages' | 'leftOut'> {
  const pages: SimulatedPage[] = [];
  let leftOut = 0;
  for (const [name, rows] of table) {
    if (keep && !keep(name)) continue;
    const page = pageOf(rows, name);
    if (!page.versions.some(({ importance }) => importance > 0)) leftOut++;
    else pages.push({ name, weight: weights?.get(name) ?? 1, ...page });
  }
  return { pages, leftOut };
}

function windowOf(first: Seconds, { from = 0, train, test, zone = 'UTC' }: WindowOptions) {
  const begin = Math.floor(first / 3600) * 3600 + from * DAY;
  const start = begin + train * DAY;
  return { begin, start, end: start + test * DAY, zone };
}

export function historiesFromObservations(
  table: ReadonlyMap<string, readonly Observation[]>,
  options: WindowOptions,
): Histories {
  const { begin, start, end, zone } = windowOf(extentOf(table).first, options);
  const { pages, leftOut } = pagesOf(table, options, (observations) => {
    const list = ordered(observations);
    return {
      training: gapsOf(list.filter(({ time }) => time >= begin && time < start)).filter(
        (gap) => gap.to - gap.from <= LONGEST_GAP,
      ),
      versions: list
        .filter(({ time, changed }) => changed && time >= start && time < end)
        .map(({ time, importance }) => ({ time, importance })),
    };
  });
  return { start, end, zone, pages, leftOut };
}

/** With only change times, the training is what hourly visits would have seen. */
export function historiesFromChanges(
  table: ReadonlyMap<string, readonly PageVersion[]>,
  options: WindowOptions,
): Histories {
  const { first, last } = extentOf(table);
  const { begin, start, end, zone } = windowOf(first, options);
  const { pages, leftOut } = pagesOf(table, options, (changes) => {
    const list = [...changes].sort((a, b) => a.time - b.time);
    return {
      training: gapsOf(hourly(list, begin - (options.from ?? 0) * DAY, Math.min(last, start))).filter(
        (gap) => gap.to <= start && gap.from >= begin,
      ),
      versions: list.filter(({ time }) => time >= start && time < end),
    };
  });
  return { start, end, zone, pages, leftOut };
}

/** @param list in order of time */
function hourly(list: readonly PageVersion[], begin: Seconds, end: Seconds): Observation[] {
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
