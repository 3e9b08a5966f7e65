/**
 * The features of a directory's past that tell whether its own pages will have changed by the next version.
 *
 * Every rate is one of *shares*: of all pages that changed in a transition, the part in the directory, divided by its
 * part of the site's pages. 1: its pages change as often as the site's average page. So a rebuild of the whole
 * site, which touches everything once, does not make everything look alive, and a week with two changes counts as much
 * as one with two hundred, just as in the change recall that the plan is measured by.
 *
 * An observation that covers a span of transitions (the directory was left out in between) counts as that much exposure; a
 * transition without an observation counts as none.
 *
 * Cost: transitions of the memory × directories, regardless of the number of pages.
 */
import type { Millis } from '../../model/time.ts';
import type { DirectoryHistory, Observations } from './directory-history.ts';

/** Number of past transitions considered. 20 versions have nineteen: the training set of the paper and of our study. */
export const MEMORY = 19;

/** In the order of the coefficients (change-model.ts). */
export const FEATURES = [
  /** Log rate of shares, halved every 4 transitions; and over the whole memory. */
  'recent-share',
  'share',
  /** Log of the part of transitions in which anything changed in the directory, halved every 2; and over the whole memory. */
  'recent-events',
  'events',
  /** 1: no observation in the memory found a change. */
  'never',
  /** Log of the number of its own pages. */
  'size',
  'depth',
  /** Log rate of shares of everything beside and below it, under the same parent, halved every 4. */
  'relatives',
  /** Log rate in transitions that end at the same time of day or week as the coming one, relative to all of them. */
  'season',
  /** Log of 1 + ten times the part of its pages that the last observation found changed. */
  'last',
] as const;

export interface DirectoryFeatures {
  /** Numbers of the directories that hold pages. */
  readonly directories: Int32Array;
  /** Per directory: own pages, transitions since the last observation, and its row of features. */
  readonly pages: Float64Array;
  readonly spans: Float64Array;
  readonly rows: readonly Float64Array[];
}

const DAY = 24 * 3600 * 1000;
const SEASONS: readonly Millis[] = [DAY, 7 * DAY];
/** Shares are smoothed by half a page, so that small directories are not extreme. */
const HALF = 0.5;

/** A decayed sum of shares of changes, and of shares of pages. */
class ShareRate {
  readonly changed: Float64Array;
  readonly held: Float64Array;
  readonly #halfLife: number;

  constructor(size: number, halfLife: number) {
    this.changed = new Float64Array(size);
    this.held = new Float64Array(size);
    this.#halfLife = halfLife;
  }

  add(directory: number, age: number, changed: number, held: number): void {
    const weight = 0.5 ** (age / this.#halfLife);
    this.changed[directory] = (this.changed[directory] as number) + weight * changed;
    this.held[directory] = (this.held[directory] as number) + weight * held;
  }

  log(directory: number, page: number): number {
    const [changed, held] = [this.changed[directory] as number, this.held[directory] as number];
    return Math.log((changed + HALF * page) / (held + HALF * page));
  }
}

/** For the directories that hold pages at `version`, before anything that happens up to `target`, the time of the next version. */
export function changeFeatures(
  history: DirectoryHistory,
  version: number,
  target: Millis,
): DirectoryFeatures {
  const pages = history.pagesAt(version);
  const { length } = pages;
  const recent = new ShareRate(length, 4);
  const all = new ShareRate(length, Number.POSITIVE_INFINITY);
  const slow = new ShareRate(length, 8);
  const sameSeason = new ShareRate(length, 8);
  const events = [2, Number.POSITIVE_INFINITY].map((halfLife) => new ShareRate(length, halfLife));
  const last = new Float64Array(length);
  const first = Math.max(0, version - MEMORY);
  const inSeason = seasonOf(history, first, version, target);
  for (let t = first; t < version; t++) {
    const observed = history.observations(t);
    const { changed, held } = totals(observed);
    const age = version - 1 - t;
    const { span } = observed;
    for (let d = 0; d < span.length; d++) {
      const nodes = (observed.pages[d] as number) + (observed.inserted[d] as number);
      if (span[d] === 0 || nodes === 0) continue;
      const found = changesOf(observed, d);
      const exposure = span[d] as number;
      last[d] = found / (nodes * exposure);
      if (changed === 0) continue;
      const [share, part] = [found / changed, (nodes * exposure) / held];
      for (const rate of [recent, all, slow]) rate.add(d, age, share, part);
      if (inSeason(t)) sameSeason.add(d, age, share, part);
      for (const rate of events) rate.add(d, age, found > 0 ? 1 : 0, exposure);
    }
  }
  const relatives = relativesOf(history, recent);
  const total = pages.reduce((sum, count) => sum + count, 0);
  const page = 1 / Math.max(1, total);
  const directories = Int32Array.from(livingIn(pages));
  const eventRate = ({ changed, held }: ShareRate, d: number): number =>
    Math.log(((changed[d] as number) + 0.3) / ((held[d] as number) + 1));
  const rows = Array.from(directories, (d) =>
    Float64Array.of(
      recent.log(d, page),
      all.log(d, page),
      eventRate(events[0] as ShareRate, d),
      eventRate(events[1] as ShareRate, d),
      events[1]?.changed[d] === 0 ? 1 : 0,
      Math.log(pages[d] as number),
      history.tree.depth(d),
      relatives(d, page),
      inSeason.exists ? sameSeason.log(d, page) - slow.log(d, page) : 0,
      Math.log1p(10 * (last[d] as number)),
    ),
  );
  return {
    directories,
    pages: Float64Array.from(directories, (d) => pages[d] as number),
    spans: Float64Array.from(directories, (d) => history.spanAfter(version, d)),
    rows,
  };
}

export const changesOf = ({ inserted, deleted, updated }: Observations, directory: number): number =>
  ((inserted[directory] ?? 0) + (deleted[directory] ?? 0) + (updated[directory] ?? 0)) as number;

function* livingIn(pages: Int32Array): Generator<number> {
  for (let d = 0; d < pages.length; d++) if ((pages[d] as number) > 0) yield d;
}

function totals(observed: Observations): { readonly changed: number; readonly held: number } {
  let [changed, held] = [0, 0];
  for (let d = 0; d < observed.span.length; d++) {
    if (observed.span[d] === 0) continue;
    changed += changesOf(observed, d);
    held += (observed.pages[d] as number) + (observed.inserted[d] as number);
  }
  return { changed, held };
}

/** Log rate of the parent's subtree without the directory's own pages. */
function relativesOf(
  { tree }: DirectoryHistory,
  own: ShareRate,
): (directory: number, page: number) => number {
  const [changed, held] = [own.changed.slice(), own.held.slice()];
  for (let d = changed.length - 1; d > 0; d--) {
    const parent = tree.parent(d);
    changed[parent] = (changed[parent] as number) + (changed[d] as number);
    held[parent] = (held[parent] as number) + (held[d] as number);
  }
  return (d, page) => {
    const parent = Math.max(0, tree.parent(d));
    const others = (sums: Float64Array, mine: Float64Array): number =>
      Math.max(0, (sums[parent] as number) - (mine[d] as number)) + page;
    return Math.log(others(changed, own.changed) / others(held, own.held));
  };
}

/**
 * Whether a transition ends at the same time of day (versions hours apart) or of the week (versions days apart) as the
 * coming one. Weekly versions have no season that a memory of twenty could show.
 */
function seasonOf(
  history: DirectoryHistory,
  first: number,
  version: number,
  target: Millis,
): ((transition: number) => boolean) & { readonly exists: boolean } {
  const length = history.timeOf(version) - history.timeOf(first);
  const spacing = length / Math.max(1, version - first);
  const season = SEASONS.find((period) => spacing <= period / 2 && length >= 2 * period);
  const test = (transition: number): boolean => {
    if (season === undefined) return false;
    const apart = Math.abs(target - history.timeOf(transition + 1)) % season;
    return Math.min(apart, season - apart) < spacing / 2;
  };
  return Object.assign(test, { exists: season !== undefined });
}
