/**
 * Matches the siblings of two versions: in order, by name, by what they begin with, and by size. A story added on top
 * pushes the others down and changes nothing else about them; a part whose class changed is recognised by its size
 * between known neighbours.
 */
import type { RememberedPart } from './memory.ts';

export interface SizedPart {
  readonly key: string;
  /** Hash of what it begins with. */
  readonly anchor: string;
  readonly width: number;
  readonly height: number;
}

/** Sizes this close, in pixels, are equal: the memory rounds fractions. */
const SAME = 1;
/**
 * How well two parts with the same name fit. Steep: where one entry of a list changed, leaving all in place beats any
 * shift; where all moved on by one, matching equal entries beats matching places.
 */
const FIT = { anchor: 16, size: 8, width: 3, name: 2 };
/** With different names, only the same beginning, or the same size, makes two parts one. */
const OTHER_NAME = { anchor: 4, size: 1 };
/** Most comparisons; longer lists are matched by order within each name. */
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

/** The index of each part among the remembered ones; -1 for none. */
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
  /** Ends (exclusive) of the middle, in `now` and in `before`. */
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

/** How far apart two sizes are: the sum of the logarithms of their ratios. */
export const sizesApart = (
  a: Pick<SizedPart, 'width' | 'height'>,
  b: Pick<SizedPart, 'width' | 'height'>,
): number =>
  Math.abs(Math.log((1 + a.width) / (1 + b.width))) + Math.abs(Math.log((1 + a.height) / (1 + b.height)));

/** The remembered part with the same name that is nearest in size: the model for a part that is new. */
export function likest(part: SizedPart, before: readonly RememberedPart[]): RememberedPart | undefined {
  let nearest: RememberedPart | undefined;
  let least = ALIKE;
  for (const one of before) {
    const apart = one.key === part.key ? sizesApart(part, one) : Infinity;
    if (apart < least) [nearest, least] = [one, apart];
  }
  return nearest;
}

/** Twice as large, in one dimension or in both together. */
const ALIKE = Math.log(2);
