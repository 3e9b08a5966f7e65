import type { Delta } from '../../model/delta.ts';
import type { Layout } from '../../model/layout.ts';
import { memoryEdit } from './memory-edit.ts';
import { operationsOf } from './vi-diff/delta-operations.ts';
import { headOf, leavesOf, traverse } from './vi-diff/flat-blocks.ts';
import { framesOf, quietOf } from './vi-diff/ledger.ts';
import { matchBlocks } from './vi-diff/match-blocks.ts';
import { matchElements } from './vi-diff/match-elements.ts';

/**
 * Vi-DIFF: Pehlivan, Ben Saad, Gançarski, "A Novel Web Archiving Approach based on Visual Pages Analysis" (IWAW 2009)
 * §5. Blocks of two layouts are matched, then the links, images and texts of those that changed; elements without an
 * equal were inserted, deleted, updated or moved to another block. A different order of elements inside a block is no
 * change.
 *
 *   T1, T2             old, now           layouts of two versions, the older first
 *   B1, B2             FlatLayout.leaves  their leaf blocks, in reading order
 *   ID                 Block.id           hash of the content: equal ids, equal blocks
 *   Ref                Block.ref          place in the tree of blocks
 *   Name, Adr/Src      name, address/source
 *   DT                 Delta              its written form is Vi-Delta (vi-delta.ts, step 3)
 *
 * Departures
 * - Blocks may come, go, split, merge and move; the paper assumes that they do not (vi-diff/match-blocks.ts).
 * - Elements are matched in passes over multisets, not by one merge of sorted lists (vi-diff/detect-changes.ts).
 * - Texts are compared by a symmetric distance (vi-diff/text-distance.ts).
 * - The delta also records what readers do not see, so that it can be applied exactly and turned round
 *   (vi-diff/ledger.ts).
 *
 * O(n log n) in the number of elements and words, as the paper's.
 */
const sameWindow = ({ viewport: a }: Layout, { viewport: b }: Layout): boolean =>
  a.width === b.width && a.height === b.height;

export function diffLayouts(old: Layout, now: Layout): Delta {
  if (old.segmenter !== now.segmenter) {
    throw new RangeError(
      `layouts of different segmenters cannot be compared: '${old.segmenter}' and '${now.segmenter}'`,
    );
  }
  // Step 1: initialization (Fig. 6, lines 1-12).
  const oldTree = traverse(old);
  const newTree = traverse(now);
  const blocks = matchBlocks(leavesOf(oldTree), leavesOf(newTree));
  // Step 2: detecting changes (lines 13-15).
  const elements = {
    link: matchElements('link', blocks),
    image: matchElements('image', blocks),
    text: matchElements('text', blocks),
  };
  const match = { blocks, elements };
  const memory = memoryEdit(old.memory, now.memory);
  return {
    format: 1,
    from: headOf(old),
    to: headOf(now),
    ...operationsOf(match, sameWindow(old, now)),
    ledger: {
      frames: framesOf(oldTree, newTree, blocks.pairs),
      quiet: quietOf(match),
      ...(memory && { memory }),
    },
  };
}
