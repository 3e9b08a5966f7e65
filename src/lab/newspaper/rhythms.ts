/**
 * When things happen. One table: mean events per day at size 'medium', a profile over the hours of the day and
 * one over the days of the week (Monday first). Profiles are relative weights: a 0 means never.
 *
 * Events of an hour are a Poisson count with that hour's rate, each at a uniform whole second of the hour: a
 * non-homogeneous Poisson process with a constant rate within the hour. Whole seconds, because `Last-Modified` has no
 * finer resolution.
 */
import type { Millis } from '../../model/time.ts';
import { type Day, HOUR, SECOND, startOf, weekdayOf } from './days.ts';
import type { Random } from './random.ts';

export interface Rhythm {
  readonly perDay: number;
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
}

/** Busy from the morning conference to the evening close, a trickle by night. */
const NEWSROOM = [1, 0, 0, 0, 1, 3, 8, 10, 9, 9, 10, 10, 8, 8, 9, 10, 10, 9, 8, 6, 4, 3, 2, 1];
const OFFICE = [0, 0, 0, 0, 0, 0, 0, 1, 4, 12, 12, 11, 8, 9, 11, 12, 10, 6, 2, 0, 0, 0, 0, 0];
/** Matches end in the afternoon and the evening. */
const MATCHES = [1, 0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 6, 8, 9, 12, 14, 16, 16, 12, 8, 3];
const MORNING = [0, 0, 0, 0, 0, 2, 8, 12, 10, 8, 6, 4, 3, 3, 3, 3, 2, 1, 0, 0, 0, 0, 0, 0];
const READERS = [3, 1, 1, 0, 0, 1, 4, 7, 8, 7, 6, 7, 10, 8, 6, 6, 7, 9, 10, 11, 12, 10, 8, 5];
const EVENINGS = [0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 5, 5, 4, 4, 4, 5, 6, 8, 9, 8, 5, 3, 1, 0];

const ALL_WEEK = [1, 1, 1, 1, 1, 1, 1];

export const RHYTHMS = {
  //          events/day  hours            Mon  Tue  Wed  Thu  Fri  Sat  Sun
  politics: { perDay: 4, hours: NEWSROOM, weekdays: [1.2, 1.3, 1.4, 1.3, 1, 0.4, 0.4] },
  economy: { perDay: 3, hours: OFFICE, weekdays: [1.4, 1.4, 1.4, 1.4, 1.4, 0, 0] },
  sport: { perDay: 3.5, hours: MATCHES, weekdays: [0.6, 0.5, 0.8, 0.5, 0.6, 1.6, 2.4] },
  culture: { perDay: 1.5, hours: EVENINGS, weekdays: [0.2, 0.3, 0.4, 3.6, 1, 1, 0.5] },
  science: { perDay: 1.5, hours: MORNING, weekdays: [1, 1.4, 1.6, 1.6, 1.2, 0.2, 0] },
  local: { perDay: 2.5, hours: NEWSROOM, weekdays: [1, 1, 1, 1, 1.1, 1, 0.9] },
  /** The editors rearrange the home page. */
  'home-desk': { perDay: 14, hours: NEWSROOM, weekdays: [1.1, 1.1, 1.1, 1.1, 1, 0.8, 0.8] },
  /** Entries of the live ticker. */
  ticker: { perDay: 110, hours: NEWSROOM, weekdays: [1.1, 1.1, 1.1, 1.1, 1, 0.8, 0.8] },
  /** Readers' comments, per article of average interest. */
  comments: { perDay: 5, hours: READERS, weekdays: ALL_WEEK },
} as const satisfies Record<string, Rhythm>;

export type RhythmName = keyof typeof RHYTHMS;

/** Section desks rearrange their front about as often as they publish, at their own hours. */
export const SECTION_DESK_FACTOR = 0.8;

const sum = (list: readonly number[]): number => list.reduce((total, x) => total + x, 0);

/** Expected events in the hour that contains `time`. */
export function hourlyRate(rhythm: Rhythm, time: Millis, scale = 1): number {
  const hour = Math.floor(time / HOUR) % 24;
  const weekday = weekdayOf(Math.floor(time / (24 * HOUR)));
  const share = (rhythm.hours[hour] ?? 0) / sum(rhythm.hours);
  return (rhythm.perDay * scale * share * (rhythm.weekdays[weekday] ?? 0) * 7) / sum(rhythm.weekdays);
}

/** This hour's rate relative to the busiest hour of the week: the acceptance probability when thinning. */
export function intensity(rhythm: Rhythm, time: Millis): number {
  const hour = Math.floor(time / HOUR) % 24;
  const weekday = weekdayOf(Math.floor(time / (24 * HOUR)));
  const peak = Math.max(...rhythm.hours) * Math.max(...rhythm.weekdays);
  return ((rhythm.hours[hour] ?? 0) * (rhythm.weekdays[weekday] ?? 0)) / peak;
}

/** Times of the events of one day, ascending, all different. */
export function eventTimes(rhythm: Rhythm, day: Day, scale: number, random: Random): Millis[] {
  const times = new Set<Millis>();
  for (let hour = 0; hour < 24; hour++) {
    const begin = startOf(day) + hour * HOUR;
    const count = random.poisson(hourlyRate(rhythm, begin, scale));
    for (let i = 0; i < count; i++) times.add(begin + random.int(3600) * SECOND);
  }
  return [...times].sort((a, b) => a - b);
}
