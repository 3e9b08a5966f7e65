import type { Operation } from '../../model/delta.ts';
import type { Block, Layout } from '../../model/layout.ts';
import type { Box } from '../../model/page-snapshot.ts';

/** What happened in a block of one version: drawn over its picture. */
export interface BlockMark {
  readonly ref: string;
  readonly box: Box;
  /** The weightiest operation there gives the colour. */
  readonly op: Operation['op'];
  readonly weight: number;
  readonly operations: number;
}

/** Refs in the old and in the new layout that an operation concerns. */
export function blocksOf(operation: Operation): { old: readonly string[]; new: readonly string[] } {
  const refs = (side: unknown): readonly string[] => {
    if (side === undefined) return [];
    if (typeof side === 'string') return [side];
    return Array.isArray(side) ? (side as string[]) : [(side as { block: string }).block];
  };
  const { from, to } = operation as { from?: unknown; to?: unknown };
  return { old: refs(from), new: refs(to) };
}

/** One mark per touched block of a side, heaviest last, so that it lies on top. */
export function marksOf(
  layout: Layout,
  operations: readonly { readonly operation: Operation; readonly weight: number }[],
  side: 'old' | 'new',
): readonly BlockMark[] {
  const boxes = new Map<string, Box>();
  const stack: Block[] = [layout.root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    boxes.set(block.ref, block.box);
    stack.push(...block.blocks);
  }
  const marks = new Map<string, BlockMark & { heaviest: number }>();
  for (const { operation, weight } of operations) {
    for (const ref of blocksOf(operation)[side]) {
      const box = boxes.get(ref);
      if (!box) continue;
      const mark = marks.get(ref) ?? { ref, box, op: operation.op, weight: 0, operations: 0, heaviest: -1 };
      marks.set(ref, {
        ...mark,
        weight: mark.weight + weight,
        operations: mark.operations + 1,
        ...(weight > mark.heaviest && { op: operation.op, heaviest: weight }),
      });
    }
  }
  return [...marks.values()]
    .map(({ heaviest: _, ...mark }) => mark)
    .sort((a, b) => a.weight - b.weight || (a.ref < b.ref ? -1 : 1));
}
