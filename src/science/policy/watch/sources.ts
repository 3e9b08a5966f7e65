/**
 * Whom to believe: what each source of signals is worth, learnt from what visits after its signals found.
 *
 *   precision   chance that a signal of it tells of a change since the last visit
 *   recall      chance that a change of a page it tells of is told
 *   news        how often a reading has any, and what it then was worth to the pages it told of
 *
 * A source begins as the sources of its kind are known, these as a first guess. Whether a signal was true is not seen when the
 * page would have changed anyway: each counts by the chance that it was, given what the visit found (one step of EM). A signal
 * before a visit that found nothing was false. So a source that tells at random ends with precision and recall near 0: its
 * signals move nothing, and neither does its silence.
 */
import type { SignalKind } from '../../../model/watch.ts';

/** Plain numbers, kept as JSON. Older ones fade. */
export interface SourceTally {
  /** Signals that a visit followed, and those that were true. */
  heard: number;
  true: number;
  /** Of gaps between visits in which it was read and said nothing: changes expected in them, and changes found. */
  silent: number;
  missed: number;
  /** Of the logarithms of sizes that were told (x) and found (y), relative to the page's mean: n, Σx, Σy, Σx², Σxy, Σy². */
  sizes: [number, number, number, number, number, number];
}

export interface Source extends SourceTally {
  readonly name: string;
  readonly kind: SignalKind;
  /** Unix seconds; undefined before the first. */
  readAt: number | undefined;
  /** Readings and those with news, and hours between them. */
  readings: number;
  withNews: number;
  hours: number;
  /** Σ over visits that its news caused: what they found, less their price. */
  worth: number;
}

export interface Sources {
  readonly byName: Map<string, Source>;
  readonly kinds: Readonly<Record<SignalKind, SourceTally>>;
}

/** First guesses, before a visit checked any; each counts as `STRENGTH.kind` of them. */
const FIRST_GUESS: Readonly<Record<SignalKind, { readonly precision: number; readonly recall: number }>> = {
  feed: { precision: 0.7, recall: 0.5 },
  sitemap: { precision: 0.6, recall: 0.4 },
  link: { precision: 0.4, recall: 0.2 },
  ping: { precision: 0.8, recall: 0.3 },
  group: { precision: 0.1, recall: 0.1 },
};
/** Signals that a first guess counts as; that the kind counts as for a source; and that are remembered at most. */
const STRENGTH = { kind: 4, source: 6, memory: 300 } as const;
/** Readings with news that the first guess of their worth counts as, and how many prices it is. */
const FIRST_NEWS = { strength: 3, prices: 4, rate: 0.5 } as const;

const emptyTally = (): SourceTally => ({
  heard: 0,
  true: 0,
  silent: 0,
  missed: 0,
  sizes: [0, 0, 0, 0, 0, 0],
});

export const newSources = (): Sources => ({
  byName: new Map(),
  kinds: {
    feed: emptyTally(),
    sitemap: emptyTally(),
    link: emptyTally(),
    ping: emptyTally(),
    group: emptyTally(),
  },
});

export function sourceOf(sources: Sources, name: string, kind: SignalKind): Source {
  const known = sources.byName.get(name);
  if (known) return known;
  const source: Source = {
    ...emptyTally(),
    name,
    kind,
    readAt: undefined,
    readings: 0,
    withNews: 0,
    hours: 0,
    worth: 0,
  };
  sources.byName.set(name, source);
  return source;
}

export function precisionOf({ kinds }: Sources, source: Source): number {
  const kind = kinds[source.kind];
  const first = FIRST_GUESS[source.kind].precision;
  const shared = (kind.true + STRENGTH.kind * first) / (kind.heard + STRENGTH.kind);
  return (source.true + STRENGTH.source * shared) / (source.heard + STRENGTH.source);
}

/** Changes in silence over those that were to be expected are what it does not tell of. */
export function recallOf({ kinds }: Sources, source: Source): number {
  const kind = kinds[source.kind];
  const first = 1 - FIRST_GUESS[source.kind].recall;
  const shared = Math.min(1, (kind.missed + STRENGTH.kind * first) / (kind.silent + STRENGTH.kind));
  const untold = (source.missed + STRENGTH.source * shared) / (source.silent + STRENGTH.source);
  return Math.max(0, 1 - untold);
}

/** Changes that the first line through sizes counts as: told sizes are believed by half, with an error of half. */
const FIRST_SIZES = { strength: 5, slope: 0.7, spread: 1, error: 0.25 } as const;
/** A version weighs something, and not a hundred times the mean: relative to it. */
const SIZE_BOUNDS = { least: 0.02, most: 30 } as const;

/**
 * What the change weighs, relative to the page's mean, if it is told to be `size` of that: a line through the logarithms of what
 * was told and found. In logarithms, since sizes spread over powers of ten: a line through the sizes themselves would follow the
 * largest, and take a tiny change for an ordinary one.
 */
export function emphasisOf({ kinds }: Sources, source: Source, size: number): number {
  const own = source.sizes[0] >= 4 * FIRST_SIZES.strength ? source.sizes : kinds[source.kind].sizes;
  const [count, x, y, xx, xy, yy] = own;
  const { strength, slope: first, spread, error } = FIRST_SIZES;
  const n = count + strength;
  const [meanX, meanY] = [x / n, y / n];
  const ofX = (xx + strength * spread) / n - meanX * meanX;
  const both = (xy + strength * spread * first) / n - meanX * meanY;
  const ofY = (yy + strength * (spread * first * first + error)) / n - meanY * meanY;
  const slope = Math.max(0, both / ofX);
  const left = Math.max(0, ofY - slope * both);
  const guess = Math.exp(meanY + slope * (logSize(size) - meanX) + left / 2);
  return Math.min(SIZE_BOUNDS.most, Math.max(SIZE_BOUNDS.least, guess));
}

const logSize = (size: number): number => Math.log(Math.max(SIZE_BOUNDS.least, size));

/** One signal and what the visit after it found. */
export interface CheckedSignal {
  readonly source: Source;
  /** By how much it counts: less where it may speak of a time before the last visit. */
  readonly share: number;
  readonly wasTrue: number;
  /** Relative to the page's mean; absent where none was told, or nothing was found. */
  readonly size?: { readonly told: number; readonly found: number };
}

export function learnSignal(sources: Sources, { source, share, wasTrue, size }: CheckedSignal): void {
  for (const tally of [source, sources.kinds[source.kind]]) {
    tally.heard += share;
    tally.true += wasTrue;
    if (size) {
      const [x, y] = [logSize(size.told), logSize(size.found)];
      [1, x, y, x * x, x * y, y * y].forEach((value, i) => {
        tally.sizes[i] = (tally.sizes[i] as number) + wasTrue * value;
      });
    }
    fade(tally);
  }
}

/** A gap between two visits in which it was read and said nothing. */
export function learnSilence(
  sources: Sources,
  source: Source,
  { expected, found }: { readonly expected: number; readonly found: number },
): void {
  for (const tally of [source, sources.kinds[source.kind]]) {
    tally.silent += expected;
    tally.missed += found;
    fade(tally);
  }
}

function fade(tally: SourceTally): void {
  const heard = STRENGTH.memory / tally.heard;
  if (heard < 1) {
    tally.heard *= heard;
    tally.true *= heard;
  }
  const silent = STRENGTH.memory / tally.silent;
  if (silent < 1) {
    tally.silent *= silent;
    tally.missed *= silent;
  }
  const sizes = STRENGTH.memory / tally.sizes[0];
  if (sizes < 1) tally.sizes = tally.sizes.map((value) => value * sizes) as SourceTally['sizes'];
}

export function learnReading(source: Source, at: number, hasNews: boolean): void {
  if (source.readAt !== undefined && at > source.readAt) {
    source.readings += 1;
    source.withNews += hasNews ? 1 : 0;
    source.hours += (at - source.readAt) / 3600;
    const keep = Math.min(1, STRENGTH.memory / source.readings);
    source.readings *= keep;
    source.withNews *= keep;
    source.hours *= keep;
    source.worth *= keep;
  }
  source.readAt = at;
}

/**
 * What reading it now is worth, as a page is (expected-gain.ts): news worth W that come at μ an hour and are overtaken by later
 * ones, so W·(1 − (1 + x)·e^{−x}) after x = μ·hours.
 * @param price of a reading now: what is not known yet is taken for some prices
 */
export function readingWorth(source: Source, now: number, price: number): number {
  const { readAt, readings, withNews, hours, worth } = source;
  const first = FIRST_NEWS.strength * FIRST_NEWS.prices * price;
  const mean = (worth + first) / (withNews + FIRST_NEWS.strength);
  if (readAt === undefined) return mean;
  // Readings an hour apart with news in p of them: −ln(1 − p) an hour, a half reading more on either side.
  const gap = readings > 0 ? hours / readings : 1 / FIRST_NEWS.rate;
  const rate = -Math.log1p(-(withNews + 0.5) / (readings + 1)) / gap;
  const expected = (rate * Math.max(0, now - readAt)) / 3600;
  return mean * (1 - (1 + expected) * Math.exp(-expected));
}
