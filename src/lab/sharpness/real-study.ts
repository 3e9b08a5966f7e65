/**
 * Schedules on real change histories (SHARC 2009, Fig. 9, and what goes beyond it): captures that start at several
 * times and last from hours to days, with rates from what was seen before each start. Nothing is tuned on these sites:
 * the weight of blur in `sharpest-within` follows from the rates of each capture.
 */
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import { sharcOfflineByHour, sharcRevisitsByHour } from '../../science/sharpness/organ-pipe-by-hour.ts';
import type { RevisitSchedule, Schedule } from '../../science/sharpness/schedule.ts';
import { sharpestWithin } from '../../science/sharpness/sharp-and-clear.ts';
import { sharpPages } from '../../science/sharpness/sharp-pages.ts';
import { revisitStrategy, strategy } from '../../science/sharpness/strategies.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { stream } from '../newspaper/random.ts';
import { type CaptureCase, captureCase, changesByHour, siteOfCase } from './capture-case.ts';
import { leastBlurSchedule, mostSharpSchedule } from './oracle.ts';

export interface RealStudyOptions {
  /** Start times per site and duration. */
  readonly starts?: number;
  readonly hours?: readonly number[];
  /** Days of history before the first start. */
  readonly trainingDays?: number;
  readonly utcOffset?: number;
  /** Upper bound on the expected blur of `sharpest-within`, as a multiple of SHARC-revisits'. */
  readonly blurLimit?: number;
  /** Whether to compute what a schedule that knew all changes could reach. */
  readonly limits?: boolean;
  readonly seed?: number;
}

export const STUDY = {
  starts: 14,
  hours: [6, 12, 24, 48, 96],
  trainingDays: 10,
  utcOffset: 3_600,
  blurLimit: 1.15,
  limits: true,
  seed: 1,
} as const;

/** One strategy in one simulated capture. */
export interface StudyRow {
  readonly site: string;
  readonly hours: number;
  /** Unix seconds. */
  readonly start: number;
  readonly pages: number;
  readonly visits: 'once' | 'revisits';
  readonly strategy: string;
  readonly blur: number;
  /** With revisits only. */
  readonly sharp?: number;
}

const SINGLE = [
  'sharc-offline',
  'sharc-online',
  'adaptive-organ-pipe',
  'explore-first',
  'breadth-first',
  'depth-first',
  'hottest-first',
  'coldest-first',
  'olston-pandey',
];
const ONLINE = ['sharc-online', 'adaptive-organ-pipe', 'explore-first'];
const WRONG_SIZES = [0.1, 0.5, 1.5, 2, 10];
const TWICE = [
  'sharc-revisits',
  'sharc-threshold',
  'sharp-assignment',
  'breadth-first-doubled',
  'depth-first-doubled',
];
const HOUR = 3_600;

export const OFFLINE_BY_HOUR = 'sharc-offline by hour';
export const REVISITS_BY_HOUR = 'sharc-revisits by hour';
export const SHARPEST = 'sharpest-within by hour';

/** Starts spread evenly from the end of the training days to the last moment that leaves room for the longest capture. */
export function startTimes(
  history: SiteEvents,
  starts: number,
  trainingDays: number,
  longest: number,
): number[] {
  const first = (history.times[0] ?? 0) + trainingDays * 24 * HOUR;
  const last = (history.times.at(-1) ?? 0) - longest * HOUR;
  if (last < first)
    throw new RangeError(`a history of this length leaves no room for ${longest} h after training`);
  return Array.from(
    { length: starts },
    (_, k) => first + Math.round(((last - first) * k) / Math.max(1, starts - 1)),
  );
}

export function studySite(name: string, history: SiteEvents, options: RealStudyOptions = {}): StudyRow[] {
  const settings = { ...STUDY, ...options };
  const { starts, hours, trainingDays, utcOffset } = settings;
  const rows: StudyRow[] = [];
  for (const length of hours) {
    for (const start of startTimes(history, starts, trainingDays, Math.max(...hours))) {
      const one = captureCase(history, start, length * HOUR, { utcOffset });
      rows.push(...studyCase(name, one, settings));
    }
  }
  return rows;
}

export function studyCase(site: string, one: CaptureCase, options: RealStudyOptions = {}): StudyRow[] {
  const { blurLimit, limits, seed } = { ...STUDY, ...options };
  const rows: StudyRow[] = [];
  const observation = [0, one.duration] as const;
  const common = { site, hours: one.duration / HOUR, start: one.start, pages: one.paths.length };
  const once = (name: string, schedule: Schedule): void => {
    rows.push({
      ...common,
      visits: 'once',
      strategy: name,
      blur: exactBlur(one.changes, schedule, observation),
    });
  };
  const twice = (name: string, schedule: RevisitSchedule): void => {
    const blur = exactBlur(one.changes, schedule, observation);
    rows.push({
      ...common,
      visits: 'revisits',
      strategy: name,
      blur,
      sharp: sharpPages(one.changes, schedule).length,
    });
  };

  const single = siteOfCase(one, 1);
  for (const name of SINGLE) once(name, strategy(name).schedule(single));
  once(
    'sharc-offline, rates not shrunk',
    strategy('sharc-offline').schedule({ ...single, rates: one.ownRates }),
  );
  const expectedChanges = changesByHour(one);
  once(OFFLINE_BY_HOUR, sharcOfflineByHour(single, expectedChanges));
  for (const name of ONLINE) {
    for (const factor of WRONG_SIZES) {
      const guess = { ...single, estimatedSize: Math.max(1, factor * one.paths.length) };
      once(`${name}, size ×${factor}`, strategy(name).schedule(guess));
    }
  }
  once('random', randomSchedule(one.paths.length, single.delay, seed, one.start));
  if (limits) once('limit', leastBlurSchedule(one.changes, single.delay));

  const double = siteOfCase(one, 2);
  for (const name of TWICE) twice(name, revisitStrategy(name).schedule(double));
  twice(REVISITS_BY_HOUR, sharcRevisitsByHour(double, expectedChanges));
  twice(SHARPEST, sharpestWithin(double, { blurLimit, expectedChanges }));
  twice('limit of nested intervals', mostSharpSchedule(one.changes, double.delay));
  return rows;
}

function randomSchedule(size: number, delay: number, ...keys: number[]): Schedule {
  const slots = stream('random order', ...keys).sample(
    Array.from({ length: size }, (_, i) => i),
    size,
  );
  return { visits: Float64Array.from(slots, (slot) => slot * delay) };
}

export interface StudySummary {
  readonly strategy: string;
  readonly visits: 'once' | 'revisits';
  /** Undefined for all durations together. */
  readonly hours: number | undefined;
  readonly cases: number;
  /** Geometric means of blur ÷ that of SHARC-offline (SHARC-revisits), and ÷ that of breadth-first (doubled). */
  readonly toSharc: number;
  readonly toBreadthFirst: number;
  /** Relative to the limit, if it was computed. */
  readonly toLimit: number | undefined;
  /** Sharp pages ÷ those of breadth-first doubled. */
  readonly sharpToBreadthFirst: number | undefined;
}

export function summarise(rows: readonly StudyRow[], hours?: number): StudySummary[] {
  const chosen = hours === undefined ? rows : rows.filter((row) => row.hours === hours);
  const key = (row: StudyRow, name: string): string =>
    `${row.site} ${row.hours} ${row.start} ${row.visits} ${name}`;
  const byKey = new Map(chosen.map((row) => [key(row, row.strategy), row]));
  const groups = new Map<string, StudyRow[]>();
  for (const row of chosen) {
    const id = `${row.visits} ${row.strategy}`;
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  return [...groups.values()].map((group) => {
    const first = group[0] as StudyRow;
    const revisits = first.visits === 'revisits';
    const ratio = (name: string, value: (row: StudyRow) => number | undefined): number | undefined =>
      geometricMean(
        group.flatMap((row) => {
          const other = byKey.get(key(row, name));
          const above = value(row);
          const below = other && value(other);
          return above && below ? [above / below] : [];
        }),
      );
    const breadthFirst = revisits ? 'breadth-first-doubled' : 'breadth-first';
    return {
      strategy: first.strategy,
      visits: first.visits,
      hours,
      cases: group.length,
      toSharc: ratio(revisits ? 'sharc-revisits' : 'sharc-offline', (row) => row.blur) ?? Number.NaN,
      toBreadthFirst: ratio(breadthFirst, (row) => row.blur) ?? Number.NaN,
      toLimit: revisits ? undefined : ratio('limit', (row) => row.blur),
      sharpToBreadthFirst: revisits ? ratio(breadthFirst, (row) => row.sharp) : undefined,
    };
  });
}

function geometricMean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
