/**
 * Content structure construction (Cai et al. 2003, §4.3): blocks are merged across the lightest separators first;
 * a merged block is as coherent as its heaviest inner separator is light. Seen from the other end, which is how
 * it is built here: a region is divided at its heaviest separators, each part again.
 *
 * Departures: separators are sought again in each part, since columns under a headline have one between them that does
 * not cross the headline. Blocks that no separator tells apart, because they touch or overlap, stay side by side in one
 * region: the paper does not say what to do with them.
 */
import type { VisualBlock } from './extraction.ts';
import { type Direction, findSeparators, firstIndex, type Separator } from './separators.ts';
import type { VipsTree } from './visual-tree.ts';

export type VipsRegion =
  | { readonly kind: 'leaf'; readonly block: VisualBlock }
  | {
      readonly kind: 'divided';
      /** Two or more, in reading order. */
      readonly parts: readonly VipsRegion[];
      /** Weight of the separators between its parts; undefined where there are none. */
      readonly weight: number | undefined;
    };

/** Weights take few values, so real pages nest far less; a spiral of n blocks would take n² steps. */
const DEEPEST = 64;

/** Undefined if there are no blocks. */
export function constructRegion(
  tree: VipsTree,
  pool: readonly VisualBlock[],
  depth = 0,
): VipsRegion | undefined {
  const [first] = pool;
  if (!first) return undefined;
  if (pool.length === 1) return { kind: 'leaf', block: first };
  const cuts = depth < DEEPEST ? heaviestSeparators(tree, pool) : undefined;
  if (!cuts) {
    return { kind: 'divided', parts: pool.map((block) => ({ kind: 'leaf', block })), weight: undefined };
  }
  const parts = divide(tree, pool, cuts).flatMap((part) => constructRegion(tree, part, depth + 1) ?? []);
  return { kind: 'divided', parts, weight: cuts[0]?.weight };
}

/** All in one direction: horizontal where both directions have them. */
function heaviestSeparators(tree: VipsTree, pool: readonly VisualBlock[]): readonly Separator[] | undefined {
  const nodes = pool.map(({ node }) => node);
  const directions: readonly Direction[] = ['horizontal', 'vertical'];
  let heaviest: readonly Separator[] | undefined;
  let most = -Infinity;
  for (const direction of directions) {
    const found = findSeparators(tree, nodes, direction);
    const weight = found.reduce((max, separator) => Math.max(max, separator.weight), -Infinity);
    if (weight > most) {
      most = weight;
      heaviest = found.filter((separator) => separator.weight === weight);
    }
  }
  return heaviest;
}

/** Blocks between the separators; each part keeps document order. */
function divide(
  tree: VipsTree,
  pool: readonly VisualBlock[],
  cuts: readonly Separator[],
): readonly (readonly VisualBlock[])[] {
  const begin = cuts[0]?.direction === 'vertical' ? tree.left : tree.top;
  const parts: VisualBlock[][] = Array.from({ length: cuts.length + 1 }, () => []);
  for (const block of pool) {
    const at = begin[block.node] ?? 0;
    parts[firstIndex(cuts, (cut) => cut.end > at)]?.push(block);
  }
  return parts;
}
