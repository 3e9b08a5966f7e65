import type { DeltaAnswer, LayoutAnswer } from '../api.ts';

export type Operation = DeltaAnswer['operations'][number];
export type Block = LayoutAnswer['root'];
export type Side = 'old' | 'new';

/** A changed block of one version, as it is drawn over its page. */
export interface BlockMark {
  readonly ref: string;
  readonly box: Block['box'];
  /** The weightiest operation there gives the colour. */
  readonly op: Operation['op'];
  readonly weight: number;
  /** Indices of the operations that it stands for. */
  readonly operations: readonly number[];
}

/** Of a page with a line that runs far out of the window, screens that are drawn side by side: what lies beyond is cut. */
const MOST_SCREENS = 1.5;

/** How wide a page is drawn, in its own pixels. */
export const drawnWidth = (page: number, viewport: number): number =>
  Math.max(1, Math.min(Math.max(page, viewport), MOST_SCREENS * Math.max(1, viewport)));

/** Refs of one version's layout that an operation concerns. */
export function refsOf(operation: Operation, side: Side): readonly string[] {
  const { op, block, fromBlock, blocks = [], structure } = operation;
  if (op === 'insert') return side === 'new' ? [block] : [];
  if (op === 'delete') return side === 'old' ? [block] : [];
  if (structure === 'merge') return side === 'old' ? blocks : [block];
  if (structure === 'split') return side === 'old' ? [fromBlock ?? block] : blocks;
  return [side === 'old' ? (fromBlock ?? block) : block];
}

export function blocksIn(root: Block): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>();
  const stack = [root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    blocks.set(block.ref, block);
    for (const part of block.blocks) stack.push(part);
  }
  return blocks;
}

/** In the order of the page, inner blocks left out. */
export function leavesIn(root: Block): readonly Block[] {
  const leaves: Block[] = [];
  const stack = [root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    if (block.blocks.length === 0) leaves.push(block);
    for (let i = block.blocks.length - 1; i >= 0; i--) stack.push(block.blocks[i] as Block);
  }
  return leaves;
}

/** What a reader knows a block by that came or went as a whole: its first words. */
export function firstWords(block: Block | undefined): string {
  if (!block) return '';
  const leaves = leavesIn(block);
  const said = leaves.flatMap(({ texts, links }) => [
    ...texts.map(({ text }) => text),
    ...links.map(({ name }) => name),
  ]);
  const named = said.some((words) => words.trim())
    ? said
    : leaves.flatMap(({ images }) => images.map(({ name }) => name));
  const words = named
    .map((one) => one.trim())
    .filter(Boolean)
    .join(' · ');
  return words.length > QUOTED ? `${words.slice(0, QUOTED - 1).trimEnd()}…` : words;
}

const QUOTED = 160;

/** One mark per touched block, the heaviest last, so that it lies on top. Advertisements have one only where they are `chosen`. */
export function marksOf(
  root: Block,
  operations: readonly Operation[],
  side: Side,
  chosen?: number,
): readonly BlockMark[] {
  const blocks = blocksIn(root);
  const marks = new Map<string, BlockMark & { readonly heaviest: number }>();
  for (const [index, operation] of operations.entries()) {
    if ((index !== chosen && isAdvertisement(operation)) || isShape(operation)) continue;
    for (const ref of refsOf(operation, side)) {
      const box = blocks.get(ref)?.box;
      if (!box) continue;
      const { op, weight } = operation;
      const mark = marks.get(ref) ?? { ref, box, op, weight: 0, operations: [], heaviest: -1 };
      marks.set(ref, {
        ...mark,
        weight: mark.weight + weight,
        operations: [...mark.operations, index],
        ...(weight > mark.heaviest && { op, heaviest: weight }),
      });
    }
  }
  return [...marks.values()]
    .map(({ heaviest: _, ...mark }) => mark)
    .sort((a, b) => a.weight - b.weight || (a.ref < b.ref ? -1 : 1));
}

export const isAdvertisement = ({ old, new: now }: Operation): boolean =>
  (old ?? now) !== undefined &&
  [old, now].every((shown) => shown === undefined || shown.advertisement === true);

/** A block that holds what it held, split, merged or framed otherwise: nothing that a reader would call a change. */
export const isShape = ({ structure }: Operation): boolean => structure !== undefined;

/** The words that a reader knows an element by. */
export function wordsOf(shown: Operation['old']): string {
  const { text, name, address, source } = shown ?? {};
  return String(text ?? (name || address || source) ?? '');
}
