/** One visit of a page, as a timeline draws it. */
export interface Mark {
  readonly at: number;
  /** `same`: a visit that found nothing new: a tick. */
  readonly kind: 'first' | 'changed' | 'same';
  /** In [0, 1]: how large the mark is. */
  readonly weight: number;
}

export interface PlacedMark extends Mark {
  readonly index: number;
  /** Percent of the width. */
  readonly x: number;
  /** Radius, pixels. */
  readonly r: number;
}

const SMALLEST = 3.5;
const LARGEST = 11;

/** By time, from edge to edge. The area of a mark, not its radius, follows its weight: that is what the eye compares. */
export function placeMarks(marks: readonly Mark[], from: number, to: number): readonly PlacedMark[] {
  const span = Math.max(to - from, 1);
  return marks.map((mark, index) => ({
    ...mark,
    index,
    x: marks.length === 1 ? 50 : (100 * (mark.at - from)) / span,
    r: mark.kind === 'same' ? 0 : SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(clamp(mark.weight)),
  }));
}

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1);

export interface TimeTick {
  readonly at: number;
  readonly x: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Steps between labels that a reader counts in. */
const STEPS = [
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  91 * DAY,
  365 * DAY,
];

/** At most so many labels, at even times of the reader's day (`zone`: minutes east of UTC). */
export function timeTicks(from: number, to: number, most: number, zone = 0): readonly TimeTick[] {
  const span = to - from;
  if (span <= 0 || most < 1) return [];
  const step = STEPS.find((one) => span / one <= most) ?? Math.ceil(span / most / (365 * DAY)) * 365 * DAY;
  const shift = zone * 60_000;
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil((from + shift) / step) * step - shift; at <= to; at += step)
    ticks.push({ at, x: (100 * (at - from)) / span });
  return ticks;
}

/** Where marks stand too close to be told apart, the heaviest of each column alone is drawn. */
export function thinned(marks: readonly PlacedMark[], columns: number): readonly PlacedMark[] {
  if (marks.length <= columns) return marks;
  const best = new Map<string, PlacedMark>();
  for (const mark of marks) {
    const column = `${mark.kind === 'same'} ${Math.floor((mark.x / 100) * columns)}`;
    const held = best.get(column);
    if (!held || mark.r > held.r) best.set(column, mark);
  }
  return [...best.values()].sort((a, b) => a.index - b.index);
}
