/**
 * Whom to believe: what each source of signals is worth, learnt from what visits after its signals found.
 *
 *   precision   chance that one of its signals stands for a change since the last visit
 *   recall      chance that a change of a page it tells of is reported
 *   news        how often a reading has any, and what it was then worth for the pages it told of
 *
 * A source starts out like the known sources of its kind, these from a first guess. Whether a signal was true cannot be seen when
 * the page would have changed anyway: each counts by the chance that it was, given what the visit found (one step of EM). A signal
 * before a visit that found nothing was false. So a source that tells at random ends with precision and recall near 0: its
 * signals move nothing, and neither does its silence.
 */
import type { SignalKind } from '../../../model/watch.ts';

/** Plain numbers, kept as JSON. Older ones fade. */
export interface SourceTally {
  /** Signals that a visit followed, and those that were true. */
  heard: number;
  true: number;
  /** Over gaps between visits in which it was read and said nothing: changes expected in them, and changes found. */
  silent: number;
  missed: number;
  /** Of the logarithms of sizes reported (x) and found (y), relative to the page's mean: n, Σx, Σy, Σx², Σxy, Σy². */
  sizes: [number, number, number, number, number, number];
}

export interface Source extends SourceTally {
  readonly name: string;
  readonly kind: SignalKind;
  /** Unix seconds; undefined before the first. */
  readAt: number | undefined;
  /** Readings, those with news, and hours between them. */
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

/** First guesses, before any visit checked one; each counts as `STRENGTH.kind` signals. */
const FIRST_GUESS: Readonly<Record<SignalKind, { readonly precision: number; readonly recall: number }>> = {
  feed: { precision: 0.7, recall: 0.5 },
  sitemap: { precision: 0.6, recall: 0.4 },
  link: { precision: 0.4, recall: 0.2 },
  ping: { precision: 0.8, recall: 0.3 },
  group: { precision: 0.1, recall: 0.1 },
};
/** How many signals a first guess counts as; how many the kind counts as for a source; and how many are remembered at most. */
const STRENGTH = { kind: 4, source: 6, memory: 300 } as const;
/** How many readings with news the first guess of their worth counts as, and that guess in prices. */
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

/** The share of expected changes that still occurred in silence is what it does not tell of. */
export function recallOf({ kinds }: Sources, source: Source): number {
  const kind = kinds[source.kind];
  const first = 1 - FIRST_GUESS[source.kind].recall;
  const shared = Math.min(1, (kind.missed + STRENGTH.kind * first) / (kind.silent + STRENGTH.kind));
  const untold = (source.missed + STRENGTH.source * shared) / (source.silent + STRENGTH.source);
  return Math.max(0, 1 - untold);
}

/** Number of changes that the initial line through sizes counts as: reported sizes are half believed, with an error of half. */
const FIRST_SIZES = { strength: 5, slope: 0.7, spread: 1, error: 0.25 } as const;
/** Bounds on a version's weight relative to the mean: it weighs something, and not a hundred times the mean. */
const SIZE_BOUNDS = { least: 0.02, most: 30 } as const;

/**
 * What the change weighs, relative to the page's mean, if its reported size is `size` on that scale: a line through the logarithms
 * of reported and found sizes. In logarithms, since sizes spread over powers of ten: a line through the sizes themselves would
 * follow the largest, and take a tiny change for an ordinary one.
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
  /** How much it counts: less where it may refer to a time before the last visit. */
  readonly share: number;
  readonly wasTrue: number;
  /** Relative to the page's mean; absent where none was reported, or nothing was found. */
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
 * What reading it now is worth, computed as for a page (expected-gain.ts): news worth W that comes at μ an hour and is overtaken by
 * later news, so W·(1 − (1 + x)·e^{−x}) after x = μ·hours.
 * @param price of a reading now: what is not known yet is assumed to be worth several prices
 */
export function readingWorth(source: Source, now: number, price: number): number {
  const { readAt, readings, withNews, hours, worth } = source;
  const first = FIRST_NEWS.strength * FIRST_NEWS.prices * price;
  const mean = (worth + first) / (withNews + FIRST_NEWS.strength);
  if (readAt === undefined) return mean;
  // Readings an hour apart with news in p of them: −ln(1 − p) an hour, with half a reading added on either side.
  const gap = readings > 0 ? hours / readings : 1 / FIRST_NEWS.rate;
  const rate = -Math.log1p(-(withNews + 0.5) / (readings + 1)) / gap;
  const expected = (rate * Math.max(0, now - readAt)) / 3600;
  return mean * (1 - (1 + expected) * Math.exp(-expected));
}
