/**
 * One simulated capture of a site whose full history is known: what an archiver would know at its start (training:
 * everything before), and what happens while it runs (test). Nothing of the test part reaches the schedules.
 *
 * Pages are those that exist at the start. Appearing, changing and going away all count as changes: each makes the site
 * differ from the fetched state. Rates are those of changes as the visits of the history recorded them, at most one per
 * visit. The link graph is derived from the directories: the first page of a directory is its index and links to its
 * other pages and to the indexes of the directories in it.
 */

import {
  fitHourProfile,
  flatProfile,
  type HourProfile,
  profileTime,
} from '../../science/rates/hour-profile.ts';
import { fitDirectoryPriors, type ObservedPage, shrunkRate } from '../../science/rates/shrinkage.ts';
import { olstonPandeyUtility } from '../../science/sharpness/online-order.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { isAlive, type SiteEvents } from '../data/site-history.ts';

export interface CaptureCase {
  readonly paths: readonly string[];
  readonly directories: readonly string[];
  readonly links: (page: number) => readonly number[];
  /** Changes per second, from the training part, shrunk towards the directory's mean. */
  readonly rates: Float64Array;
  /** The same without shrinkage. */
  readonly ownRates: Float64Array;
  readonly utilities: Float64Array;
  /** By page, from the training part. */
  readonly profiles: readonly HourProfile[];
  /** Seconds since the start, of the test part. */
  readonly changes: readonly Float64Array[];
  /** Unix seconds. */
  readonly start: number;
  /** Seconds. */
  readonly duration: number;
}

export interface CaseOptions {
  /** Seconds from UTC to local time, for the hours of the day. */
  readonly utcOffset?: number;
}

export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

export function captureCase(
  history: SiteEvents,
  start: number,
  duration: number,
  options: CaseOptions = {},
): CaptureCase {
  const first = history.times[0] ?? start;
  const paths = [...history.pages.keys()].filter((path) => isAlive(eventsOf(history, path), start)).sort();
  const directories = paths.map(directoryOf);
  const observed: ObservedPage[] = [];
  const training: number[][] = [];
  const changes: Float64Array[] = [];
  for (const [i, path] of paths.entries()) {
    const events = eventsOf(history, path);
    // The first appearance is not a change of a known page; nor is anything that existed when the visits began.
    const since = events[0]?.time ?? first;
    const before = events.filter(({ time }) => time > since && time <= start).map(({ time }) => time);
    training.push(before);
    observed.push({ directory: directories[i] as string, changes: before.length, time: start - since });
    const during = events.filter(({ time }) => time > start && time <= start + duration);
    changes.push(Float64Array.from(during, ({ time }) => time - start));
  }
  const priors = fitDirectoryPriors(observed);
  return {
    paths,
    directories,
    links: directoryLinks(paths, directories),
    rates: Float64Array.from(observed, (page) => shrunkRate(page, priors)),
    ownRates: Float64Array.from(observed, ({ changes: x, time }) => (time > 0 ? x / time : 0)),
    utilities: Float64Array.from(training, (times) => olstonPandeyUtility(times, start - duration, start)),
    profiles: hourProfiles(training, directories, options),
    changes,
    start,
    duration,
  };
}

function eventsOf(history: SiteEvents, path: string): NonNullable<ReturnType<SiteEvents['pages']['get']>> {
  return history.pages.get(path) ?? [];
}

/** Site, then directory, then page: each is shrunk towards the level above. */
function hourProfiles(
  training: readonly (readonly number[])[],
  directories: readonly string[],
  { utcOffset = 0 }: CaseOptions,
): HourProfile[] {
  const site = fitHourProfile(training.flat(), flatProfile(utcOffset));
  const byDirectory = new Map<string, number[]>();
  for (const [i, times] of training.entries()) {
    const directory = directories[i] as string;
    const all = byDirectory.get(directory) ?? [];
    for (const time of times) all.push(time);
    byDirectory.set(directory, all);
  }
  const profiles = new Map<string, HourProfile>();
  for (const [directory, times] of byDirectory) {
    profiles.set(directory, fitHourProfile(times, site));
  }
  return training.map((times, i) => fitHourProfile(times, profiles.get(directories[i] as string) ?? site));
}

/** Index page → pages of its directory and indexes of its subdirectories. */
export function directoryLinks(
  paths: readonly string[],
  directories: readonly string[],
): (page: number) => readonly number[] {
  const index = new Map<string, number>();
  for (const [i, directory] of directories.entries()) if (!index.has(directory)) index.set(directory, i);
  const links: number[][] = paths.map(() => []);
  for (const [i, directory] of directories.entries()) {
    let from = index.get(directory) as number;
    if (from === i) {
      // The nearest ancestor directory with pages of its own; page 0 serves as the site's entry.
      let above = parent(directory);
      while (above !== '' && !index.has(above)) above = parent(above);
      from = index.get(above) ?? indexBelow(index, directory) ?? 0;
    }
    if (from !== i) (links[from] as number[]).push(i);
  }
  return (page) => links[page] ?? [];
}

const parent = (directory: string): string =>
  directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1);

/** The first page below the parent directory: serves as its index if the directory itself has no page. */
function indexBelow(index: ReadonlyMap<string, number>, directory: string): number | undefined {
  const above = parent(directory);
  if (above === '') return undefined;
  let best: number | undefined;
  for (const [other, page] of index) {
    if (other.startsWith(above) && (best === undefined || page < best)) best = page;
  }
  // The first subdirectory of its parent is linked from the entry page instead.
  return best === index.get(directory) ? 0 : best;
}

/** The case as the schedules see it, with the delay that makes the capture last for its duration. */
export function siteOfCase(one: CaptureCase, visitsPerPage: 1 | 2, rates = one.rates): SiteToCapture {
  const requests = Math.max(1, visitsPerPage * one.paths.length - 1);
  return {
    rates,
    delay: one.duration / requests,
    links: one.links,
    seeds: one.paths.length > 0 ? [0] : [],
    directories: one.directories,
    utilities: one.utilities,
  };
}

/** Λ of a page from the start of the capture, using its hours of the day. */
export function changesByHour(one: CaptureCase): (page: number, time: number) => number {
  const zero = one.profiles.map((profile) => profileTime(profile, one.start));
  return (page, time) =>
    (one.rates[page] as number) *
    (profileTime(one.profiles[page] as HourProfile, one.start + time) - (zero[page] as number));
}
