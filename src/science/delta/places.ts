import type { Block, Layout } from '../../model/layout.ts';
import { type PlaceWords, placeWords } from '../layout/place-words.ts';
import { leavesIn } from '../layout/segment-leaves.ts';
import { headlineOf } from './change-of.ts';

/** Where blocks stand, in words, and what a reader would call them by. */
export interface Places {
  readonly old: PlaceWords;
  readonly new: PlaceWords;
  /** Of a block of the new version; '' where nothing names it. Absent where its layout is not at hand. */
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
