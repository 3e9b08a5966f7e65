/**
 * Visual separators (Cai et al. 2003, §4.2): strips that cross a region without touching a block, and how strongly they
 * separate. The paper starts with one strip over the region; each block splits, shrinks or deletes it, and what is left
 * at the border is dropped. Sorting the blocks by where they begin gives the same strips in O(n log n): they are the
 * gaps of the union of the blocks' intervals.
 */
import { isTextual } from './node-kinds.ts';
import { backgroundOf, type Font, type VipsTree } from './visual-tree.ts';

export type Direction = 'horizontal' | 'vertical';

export interface Separator {
  readonly direction: Direction;
  /** In pixels: along y for a horizontal separator, along x for a vertical one. */
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

/** A strip with the blocks on either side, before weighing. */
interface Gap {
  readonly start: number;
  readonly end: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export const SEPARATORS = {
  /** Pixels: thinner ones are dropped. */
  thinnest: 3,
  /** Pixels: a block whose edge is this near to the strip is beside it. Exact equality would miss baselines. */
  beside: 3,
  /** §4.2.2, first rule: the weight of a strip wider than this many pixels. */
  byWidth: [
    { over: 55, weight: 12 },
    { over: 45, weight: 10 },
    { over: 35, weight: 8 },
    { over: 25, weight: 6 },
    { over: 15, weight: 4 },
    { over: 8, weight: 2 },
    { over: -Infinity, weight: 1 },
  ],
  ruler: 2,
  background: 2,
  font: 2,
  largerFontBelow: 2,
  bothText: -2,
} as const;

/** The smallest and largest possible weights. */
export const LIGHTEST = 1 + SEPARATORS.bothText;
export const HEAVIEST =
  SEPARATORS.byWidth[0].weight +
  SEPARATORS.ruler +
  SEPARATORS.background +
  SEPARATORS.font +
  SEPARATORS.largerFontBelow;

/** From the first block to the last along the direction. */
export function findSeparators(
  tree: VipsTree,
  blocks: readonly number[],
  direction: Direction,
): readonly Separator[] {
  return findGaps(tree, blocks, direction).map((gap) => ({
    direction,
    start: gap.start,
    end: gap.end,
    weight: weigh(tree, gap, direction),
  }));
}

function edges(tree: VipsTree, direction: Direction): readonly [Float64Array, Float64Array] {
  return direction === 'horizontal' ? [tree.top, tree.bottom] : [tree.left, tree.right];
}

function findGaps(tree: VipsTree, blocks: readonly number[], direction: Direction): Gap[] {
  const [begin, end] = edges(tree, direction);
  const sorted = [...blocks].sort((a, b) => (begin[a] ?? 0) - (begin[b] ?? 0) || a - b);
  const gaps: { start: number; end: number; from: number; upTo: number }[] = [];
  let reach = Infinity;
  let from = 0;
  sorted.forEach((block, i) => {
    const start = begin[block] ?? 0;
    if (start - reach >= SEPARATORS.thinnest) {
      gaps.push({ start: reach, end: start, from, upTo: i });
      from = i;
    }
    reach = i === 0 ? (end[block] ?? 0) : Math.max(reach, end[block] ?? 0);
  });
  return gaps.map((gap, i) => {
    const beyond = gaps[i + 1]?.upTo ?? sorted.length;
    const beside = (block: number) =>
      (end[block] ?? 0) >= gap.start - SEPARATORS.beside &&
      (begin[block] ?? 0) <= gap.end + SEPARATORS.beside;
    return {
      start: gap.start,
      end: gap.end,
      before: sorted.slice(gap.from, gap.upTo).filter(beside),
      after: sorted.slice(gap.upTo, beyond).filter(beside),
    };
  });
}

/** §4.2.2. */
function weigh(tree: VipsTree, gap: Gap, direction: Direction): number {
  let weight = widthWeight(gap.end - gap.start);
  if (overRuler(tree, gap, direction)) weight += SEPARATORS.ruler;
  if (backgroundsDiffer(tree, gap)) weight += SEPARATORS.background;
  if (direction === 'vertical') return weight;
  const above = edgeFont(gap.before, tree.lastFont);
  const below = edgeFont(gap.after, tree.firstFont);
  if (above && below && (above.size !== below.size || above.weight !== below.weight)) {
    weight += SEPARATORS.font;
    if (above.size < below.size) weight += SEPARATORS.largerFontBelow;
  }
  if (gap.before.every((b) => isPlainText(tree, b)) && gap.after.every((b) => isPlainText(tree, b))) {
    weight += SEPARATORS.bothText;
  }
  return weight;
}

export function widthWeight(width: number): number {
  return SEPARATORS.byWidth.find(({ over }) => width > over)?.weight ?? 1;
}

/** Rule 1 cuts rulers from the pool, so that they can lie inside a strip; a ruler counts if its middle does. */
function overRuler(tree: VipsTree, gap: Gap, direction: Direction): boolean {
  const [begin, end] = edges(tree, direction);
  const [from, to] = edges(tree, direction === 'horizontal' ? 'vertical' : 'horizontal');
  const middle = (ruler: number) => ((begin[ruler] ?? 0) + (end[ruler] ?? 0)) / 2;
  const [low, high] = span([...gap.before, ...gap.after], from, to);
  const rulers = tree.rulers[direction];
  for (let i = firstIndex(rulers, (ruler) => middle(ruler) >= gap.start); i < rulers.length; i++) {
    const ruler = rulers[i] ?? 0;
    if (middle(ruler) > gap.end) return false;
    if ((from[ruler] ?? 0) < high && (to[ruler] ?? 0) > low) return true;
  }
  return false;
}

function span(blocks: readonly number[], from: Float64Array, to: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const block of blocks) {
    low = Math.min(low, from[block] ?? low);
    high = Math.max(high, to[block] ?? high);
  }
  return [low, high];
}

/** The first index from which the condition holds; the list's length if it never does. The condition must be monotone. */
export function firstIndex<T>(list: readonly T[], condition: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether some background appears on one side only. */
function backgroundsDiffer(tree: VipsTree, gap: Gap): boolean {
  const before = new Set(gap.before.map((b) => backgroundOf(tree, b)));
  const after = new Set(gap.after.map((b) => backgroundOf(tree, b)));
  return [...before].some((b) => !after.has(b)) || [...after].some((b) => !before.has(b));
}

/** The largest font beside the strip: a heading next to a small label still reads as a heading. */
function edgeFont(blocks: readonly number[], fonts: readonly (Font | undefined)[]): Font | undefined {
  let largest: Font | undefined;
  for (const block of blocks) {
    const font = fonts[block];
    if (
      font &&
      (!largest || font.size > largest.size || (font.size === largest.size && font.weight > largest.weight))
    )
      largest = font;
  }
  return largest;
}

function isPlainText(tree: VipsTree, block: number): boolean {
  const core = tree.core[block] ?? block;
  if (isTextual(tree.kind[core])) return true;
  const children = tree.children[core] ?? [];
  return children.length > 0 && children.every((child) => isTextual(tree.kind[child]));
}
