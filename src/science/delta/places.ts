import type { Block, Layout } from '../../model/layout.ts';
import { type PlaceWords, placeWords } from '../layout/place-words.ts';
import { leavesIn } from '../layout/segment-leaves.ts';
import { headlineOf } from './change-of.ts';

/** Where blocks are, in words, and what a reader would call them. */
export interface Places {
  readonly old: PlaceWords;
  readonly new: PlaceWords;
  /** The name of a block in the new version; '' if it has none. Absent where its layout is not available. */
  readonly named?: (ref: string) => string;
}

export function placesOf(old: Layout, now: Layout): Places {
  let blocks: Map<string, Block> | undefined;
  return {
    old: placeWords(old),
    new: placeWords(now),
    named: (ref) => {
      blocks ??= blocksOf(now.root);
      const block = blocks.get(ref);
      return block ? headlineOf(leavesIn(block, (one) => one.blocks)) : '';
    },
  };
}

function blocksOf(root: Block): Map<string, Block> {
  const blocks = new Map<string, Block>();
  const stack = [root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    blocks.set(block.ref, block);
    for (const part of block.blocks) stack.push(part);
  }
  return blocks;
}
