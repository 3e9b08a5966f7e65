/**
 * Pages as a pattern is learned from them: gaps between visits, and the versions that appeared.
 *
 * If only changes are given, the pages are assumed to be watched at both ends of every period, from the local midnight
 * before the first change in the file to the one after the last: that is how series are made in Def. 6.
 */

import type { Seconds } from '../../model/time.ts';
import { type Gap, gapsOf, type Observation, ordered } from '../../science/patterns/observations.ts';
import type { SlotPlan } from '../../science/patterns/slots.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import { LONGEST_GAP } from '../policies/histories.ts';
import { extentOf } from '../policies/time-window.ts';

export interface GapsOfPage {
  readonly name: string;
  /** In order of time. */
  readonly gaps: readonly Gap[];
  readonly versions: readonly PageVersion[];
}

const DAY = 86_400;

export const watchedFromObservations = (
  table: ReadonlyMap<string, readonly Observation[]>,
): readonly GapsOfPage[] =>
  [...table].map(([name, observations]) => {
    const list = ordered(observations);
    return {
      name,
      gaps: gapsOf(list).filter((gap) => gap.to - gap.from <= LONGEST_GAP),
      versions: list.filter(({ changed }) => changed).map(({ time, importance }) => ({ time, importance })),
    };
  });

export function watchedFromChanges(
  table: ReadonlyMap<string, readonly PageVersion[]>,
  plan: SlotPlan,
  zone: string,
): readonly GapsOfPage[] {
  const { first, last } = extentOf(table);
  const offset = zoneOffset(zone);
  const midnight = (time: Seconds): Seconds => {
    const local = time + offset(time);
    return time - (local - Math.floor(local / DAY) * DAY);
  };
  return [...table].map(([name, changes]) => {
    const versions = [...changes].sort((a, b) => a.time - b.time);
    return { name, versions, gaps: periodGaps(versions, plan, midnight(first), midnight(last) + DAY) };
  });
}

/** One gap per period; a change at the very beginning of a period belongs to it. */
export function periodGaps(
  versions: readonly PageVersion[],
  plan: SlotPlan,
  from: Seconds,
  to: Seconds,
): Gap[] {
  const gaps: Gap[] = [];
  let next = 0;
  for (let time = from; time < to; ) {
    const slot = plan.slotOf(time);
    const day = plan.dayOf(time);
    let end = plan.edgeAfter(time);
    while (end < to && plan.slotOf(end) === slot && plan.dayOf(end) === day) end = plan.edgeAfter(end);
    let stays = 1;
    let changed = false;
    for (; next < versions.length && (versions[next] as PageVersion).time < end; next++) {
      stays *= 1 - (versions[next] as PageVersion).importance;
      changed = true;
    }
    gaps.push({ from: time, to: end, changed, importance: 1 - stays });
    time = end;
  }
  return gaps;
}

/** From the first visit of any page to the last; if nothing was watched, the end comes before the start. */
export function watchedTime(pages: readonly GapsOfPage[]): { readonly from: Seconds; readonly to: Seconds } {
  let from = Infinity;
  let to = -Infinity;
  for (const { gaps } of pages) {
    from = Math.min(from, gaps[0]?.from ?? Infinity);
    to = Math.max(to, gaps.at(-1)?.to ?? -Infinity);
  }
  return { from, to };
}
