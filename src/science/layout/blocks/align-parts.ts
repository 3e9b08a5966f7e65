/**
 * Which parts are which, among siblings of two versions: in order, by name, by what they begin with, and by size. A story
 * that came on top pushes the others down and changes nothing else of them; a part whose class changed is known by its
 * size between known neighbours.
 */
import type { RememberedPart } from './memory.ts';

export interface SizedPart {
  readonly key: string;
  /** Of what it begins with. */
  readonly anchor: string;
  readonly width: number;
  readonly height: number;
}

/** Pixels within which sizes are the same: fractions are rounded in memory. */
const SAME = 1;
/**
 * How well two parts of one name fit. Steep: where one part of a list changed, all in their places beat any shift; where
 * all moved on by one, those that are the same beat the places.
 */
const FIT = { anchor: 16, size: 8, width: 3, name: 2 };
/** Of two names: only what it begins with, or the same size in the same place, tells that they are one. */
const OTHER_NAME = { anchor: 4, size: 1 };
/** Comparisons; longer lists go by the order within each name. */
const MOST = 250_000;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME;

function fitOf(a: SizedPart, b: SizedPart): number {
  const sameWidth = near(a.width, b.width);
  const sameSize = sameWidth && near(a.height, b.height) && a.height > 0;
  if (a.key !== b.key) {
    if (a.anchor === b.anchor && sameWidth) return OTHER_NAME.anchor;
    return sameSize ? OTHER_NAME.size : 0;
  }
  if (a.anchor === b.anchor) return sameSize ? FIT.anchor + 1 : FIT.anchor;
  return sameSize ? FIT.size : sameWidth ? FIT.width : FIT.name;
}

/** For each part its place among the remembered ones; -1 for none. */
export function alignParts(now: readonly SizedPart[], before: readonly SizedPart[]): Int32Array {
  const found = new Int32Array(now.length).fill(-1);
  const best = (i: number, j: number): boolean =>
    fitOf(now[i] as SizedPart, before[j] as SizedPart) > FIT.anchor;
  let from = 0;
  while (from < now.length && from < before.length && best(from, from)) {
    found[from] = from;
    from++;
  }
  let [a, b] = [now.length, before.length];
  while (a > from && b > from && best(a - 1, b - 1)) found[--a] = --b;
  if ((a - from) * (b - from) > MOST) byName(now, before, found, { from, a, b });
  else byFit(now, before, found, { from, a, b });
  return found;
}

interface Middle {
  readonly from: number;
  /** Ends. */
  readonly a: number;
  readonly b: number;
}

/** The alignment of the largest sum of fits, by dynamic programming. */
function byFit(
  now: readonly SizedPart[],
  before: readonly SizedPart[],
  found: Int32Array,
  { from, a, b }: Middle,
): void {
  const columns = b - from + 1;
  const sums = new Int32Array((a - from + 1) * columns);
  for (let i = a - 1; i >= from; i--) {
    for (let j = b - 1; j >= from; j--) {
      const at = (i - from) * columns + (j - from);
      const value = fitOf(now[i] as SizedPart, before[j] as SizedPart);
      const taken = value > 0 ? value + (sums[at + columns + 1] as number) : 0;
      sums[at] = Math.max(taken, sums[at + columns] as number, sums[at + 1] as number);
    }
  }
  let [i, j] = [from, from];
  while (i < a && j < b) {
    const at = (i - from) * columns + (j - from);
    const sum = sums[at] as number;
    const value = fitOf(now[i] as SizedPart, before[j] as SizedPart);
    if (value > 0 && sum === value + (sums[at + columns + 1] as number)) found[i++] = j++;
    else if (sum === sums[at + columns]) i++;
    else j++;
  }
}

function byName(
  now: readonly SizedPart[],
  before: readonly SizedPart[],
  found: Int32Array,
  { from, a, b }: Middle,
): void {
  const places = new Map<string, number[]>();
  for (let j = b - 1; j >= from; j--) {
    const { key } = before[j] as SizedPart;
    const list = places.get(key);
    if (list) list.push(j);
    else places.set(key, [j]);
  }
  for (let i = from; i < a; i++) found[i] = places.get((now[i] as SizedPart).key)?.pop() ?? -1;
}

/** How far two sizes are apart: the sum of the logarithms of how many times one is the other. */
export const sizesApart = (
  a: Pick<SizedPart, 'width' | 'height'>,
  b: Pick<SizedPart, 'width' | 'height'>,
): number =>
  Math.abs(Math.log((1 + a.width) / (1 + b.width))) + Math.abs(Math.log((1 + a.height) / (1 + b.height)));

/** The remembered part of the same name that is nearest in size: what a part that came is like. */
export function likest(part: SizedPart, before: readonly RememberedPart[]): RememberedPart | undefined {
  let nearest: RememberedPart | undefined;
  let least = ALIKE;
  for (const one of before) {
    const apart = one.key === part.key ? sizesApart(part, one) : Infinity;
    if (apart < least) [nearest, least] = [one, apart];
  }
  return nearest;
}

/** Twice as large, in one direction or in both together. */
const ALIKE = Math.log(2);
