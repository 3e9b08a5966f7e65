/** Trivial cuts that any segmenter must beat. Text stays with the element that contains it. */
import type { PageSnapshot, SnapshotNode } from '../../model/page-snapshot.ts';
import type { BlockPartition, Cutter } from './partition.ts';

/** Each element at this depth (body: 0) is a block; so is the remainder of each element above it. */
export function cutAtDepth({ nodes }: PageSnapshot, depth: number): BlockPartition {
  const depths = new Int32Array(nodes.length);
  const blocks = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const { parent, kind } = nodes[i] as SnapshotNode;
    depths[i] = parent >= 0 ? (depths[parent] as number) + 1 : 0;
    blocks[i] =
      parent >= 0 && ((depths[i] as number) > depth || kind === 'text') ? (blocks[parent] as number) : i;
  }
  return blocks;
}

/** Descends while an element covers more than this share of the body's box. */
export function cutByArea({ nodes }: PageSnapshot, share: number): BlockPartition {
  const area = ({ box }: SnapshotNode): number => box[2] * box[3];
  const limit = nodes[0] === undefined ? 0 : share * area(nodes[0]);
  const open = new Uint8Array(nodes.length);
  const blocks = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as SnapshotNode;
    const own = node.parent < 0 || (open[node.parent] === 1 && node.kind === 'element');
    blocks[i] = own ? i : (blocks[node.parent] as number);
    open[i] = own && (i === 0 || area(node) > limit) ? 1 : 0;
  }
  return blocks;
}

const depth = (d: number): Cutter => ({ name: `depth ${d}`, partition: (page) => cutAtDepth(page, d) });
const area = (share: number): Cutter => ({
  name: `area ${Math.round(100 * share)}%`,
  partition: (page) => cutByArea(page, share),
});

export const BASELINES: readonly Cutter[] = [
  { name: 'whole page', partition: ({ nodes }) => new Int32Array(nodes.length) },
  { name: 'every leaf', partition: ({ nodes }) => Int32Array.from(nodes, (_, i) => i) },
  ...[1, 2, 3, 4, 5, 6].map(depth),
  ...[0.05, 0.1, 0.2, 0.3, 0.5].map(area),
];
