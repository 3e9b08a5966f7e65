import type { Frame, LayoutHead } from '../../../model/delta.ts';
import type { Block, Layout } from '../../../model/layout.ts';

/** A layout's blocks as a list, parents before their children: its reading order. */
export interface FlatBlock {
  readonly block: Block;
  /** Index of its parent in the list; -1 for the root. */
  readonly parent: number;
  /** Place among its parent's blocks. */
  readonly index: number;
}

export interface FlatLayout {
  readonly blocks: readonly FlatBlock[];
  /** Indices of the blocks that show something themselves: leaves. */
  readonly leaves: readonly number[];
}

/**
 * The list of blocks of a tree (IWAW 2009 Fig. 6, lines 1-2). Malformed layouts are refused: a delta identifies blocks
 * by their refs.
 */
export function traverse(layout: Layout): FlatLayout {
  const blocks: FlatBlock[] = [];
  const leaves: number[] = [];
  let numbered = true;
  const stack: FlatBlock[] = [{ block: layout.root, parent: -1, index: 0 }];
  for (let flat = stack.pop(); flat; flat = stack.pop()) {
    const { block } = flat;
    const at = blocks.push(flat) - 1;
    if (isLeaf(block)) leaves.push(at);
    for (let i = block.blocks.length - 1; i >= 0; i--) {
      const child = block.blocks[i] as Block;
      numbered &&= isNumbered(child.ref, block.ref, i + 1);
      stack.push({ block: child, parent: at, index: i });
    }
  }
  // Numbered refs cannot repeat; other names can, and only then is a map of all of them worthwhile.
  if (!numbered) positionsOf({ blocks, leaves });
  return { blocks, leaves };
}

/** Indices by ref. */
export function positionsOf({ blocks }: FlatLayout): Map<string, number> {
  const byRef = new Map<string, number>();
  blocks.forEach(({ block: { ref } }, at) => {
    if (byRef.has(ref)) throw new RangeError(`two blocks of the layout have the ref ${ref}`);
    byRef.set(ref, at);
  });
  return byRef;
}

/** `B1.4.2` is the second block of `B1.4`. */
function isNumbered(ref: string, parent: string, number: number): boolean {
  const dot = parent.length;
  if (ref.charCodeAt(dot) !== DOT || !ref.startsWith(parent)) return false;
  let rest = number;
  let at = ref.length - 1;
  for (; rest > 0; at--) {
    if (ref.charCodeAt(at) !== ZERO + (rest % 10)) return false;
    rest = Math.floor(rest / 10);
  }
  return at === dot;
}

const DOT = '.'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** An inner block with elements of its own violates the model, but is compared as a leaf where it occurs. */
const isLeaf = (block: Block): boolean =>
  block.blocks.length === 0 || block.links.length > 0 || block.images.length > 0 || block.texts.length > 0;

export const leavesOf = ({ blocks, leaves }: FlatLayout): Block[] =>
  leaves.map((at) => (blocks[at] as FlatBlock).block);

export function headOf(layout: Layout): LayoutHead {
  const { root: _blocks, memory: _inLedger, ...head } = layout;
  return head;
}

export function frameOf(flat: FlatBlock, layout: FlatLayout): Frame {
  const { ref, id, box, doc, typeSizes, importance } = flat.block;
  const parent = parentRef(flat, layout);
  const { index } = flat;
  // Nearly every block of a page has another frame once a story is added on top, so these are made without spreads.
  return typeSizes === undefined
    ? { ref, id, box, doc, importance, parent, index }
    : { ref, id, box, doc, typeSizes, importance, parent, index };
}

const parentRef = (flat: FlatBlock, layout: FlatLayout): string =>
  flat.parent === -1 ? '' : (layout.blocks[flat.parent] as FlatBlock).block.ref;

export const sameFrame = (a: Frame, b: Frame): boolean =>
  sameBlockFrame(a, b) && a.parent === b.parent && a.index === b.index;

/** `sameFrame` of both, without building the frames: most are equal. */
export const keptFrame = (a: FlatBlock, inA: FlatLayout, b: FlatBlock, inB: FlatLayout): boolean =>
  a.index === b.index && sameBlockFrame(a.block, b.block) && parentRef(a, inA) === parentRef(b, inB);

type BlockFrame = Pick<Block, 'ref' | 'id' | 'box' | 'doc' | 'typeSizes' | 'importance'>;

const sameBlockFrame = (a: BlockFrame, b: BlockFrame): boolean =>
  Object.is(a.importance, b.importance) &&
  Object.is(a.doc, b.doc) &&
  Object.is(a.box[0], b.box[0]) &&
  Object.is(a.box[1], b.box[1]) &&
  Object.is(a.box[2], b.box[2]) &&
  Object.is(a.box[3], b.box[3]) &&
  a.ref === b.ref &&
  a.id === b.id &&
  a.typeSizes === b.typeSizes;
