/**
 * Expected changes of pages over a capture, by the hours (and days) at which each of them changes: Λ_i(t), from the shapes of
 * learnt patterns and the rates that the site order assumes. The schedules by hour are built on these.
 *
 * A shape is constant between the edges of its slots, at most half an hour apart, so Λ is piecewise linear: one table of sums per
 * page, and one lookup per query.
 */
import type { SlotPlan } from '../patterns/slots.ts';
import type { ExpectedChanges } from '../sharpness/schedule.ts';

/** When in its period a page changes. */
export interface PageRhythm {
  readonly plan: SlotPlan;
  /** Rates relative to their mean, per slot. */
  readonly shape: ArrayLike<number>;
  /** How well it is known, in [0, 1): see confidence in patterns/change-pattern.ts. */
  readonly confidence: number;
}

export interface RhythmicPage {
  /** Changes per second, over all hours. */
  readonly rate: number;
  /** Absent where nothing is known: equally likely at any hour. */
  readonly rhythm?: PageRhythm | undefined;
}

/**
 * Share of a site's changes that must come from pages whose hours are known for its rhythm to count as known. Below it, most
 * of a schedule by hour would follow chance.
 */
const KNOWN_SHARE = 0.5;

/** Seconds. */
const LEAST_STEP = 1;

/** Whether the hours of these pages say enough to plan by them. */
export function isRhythmKnown(pages: readonly RhythmicPage[]): boolean {
  let all = 0;
  let known = 0;
  for (const { rate, rhythm } of pages) {
    all += rate;
    known += rate * (rhythm?.confidence ?? 0);
  }
  return all > 0 && known >= KNOWN_SHARE * all;
}

/** @param start of the capture, Unix seconds; @param end likewise: the latest time that will be queried */
export function hourlyChanges(pages: readonly RhythmicPage[], start: number, end: number): ExpectedChanges {
  const edges = new Map<SlotPlan, Edges>();
  const tables = pages.map(({ rate, rhythm }) => {
    if (!rhythm) return undefined;
    const { plan, shape } = rhythm;
    const known = edges.get(plan) ?? edgesOf(plan, start, end);
    edges.set(plan, known);
    return tableOf(known, shape, rate);
  });
  return (page, time) => {
    const table = tables[page];
    return table ? valueAt(table, time) : (pages[page] as RhythmicPage).rate * time;
  };
}

/** Seconds since the start at which the slot may change, and the slot in force until the next. */
interface Edges {
  readonly times: Float64Array;
  readonly slots: Int32Array;
}

interface Table {
  readonly times: Float64Array;
  readonly sums: Float64Array;
}

function edgesOf(plan: SlotPlan, start: number, end: number): Edges {
  const times: number[] = [];
  const slots: number[] = [];
  for (let time = start; time < end; ) {
    times.push(time - start);
    slots.push(plan.slotOf(time));
    const next = plan.edgeAfter(time);
    // Unix times as floats are a fraction of a microsecond apart: make sure to advance where an edge rounds to the current time.
    time = next > time ? next : time + LEAST_STEP;
  }
  times.push(Math.max(0, end - start));
  return { times: Float64Array.from(times), slots: Int32Array.from(slots) };
}

function tableOf({ times, slots }: Edges, shape: ArrayLike<number>, rate: number): Table {
  const sums = new Float64Array(times.length);
  for (let k = 0; k < slots.length; k++) {
    const length = (times[k + 1] as number) - (times[k] as number);
    sums[k + 1] = (sums[k] as number) + rate * (shape[slots[k] as number] ?? 1) * length;
  }
  return { times, sums };
}

function valueAt({ times, sums }: Table, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= time) low = middle;
    else high = middle;
  }
  const from = times[low] as number;
  const length = (times[high] as number) - from;
  if (length <= 0) return sums[low] as number;
  // Beyond the end, extrapolate the last piece.
  return (sums[low] as number) + (((sums[high] as number) - (sums[low] as number)) * (time - from)) / length;
}
