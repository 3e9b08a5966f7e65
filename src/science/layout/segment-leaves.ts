import type { Segment } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';

/** Leaves of a segment tree in document order, however deep it is. */
export function leavesOf(root: Segment): Segment[] {
  const leaves: Segment[] = [];
  const stack: Segment[] = [root];
  for (let segment = stack.pop(); segment; segment = stack.pop()) {
    if (segment.segments.length === 0) leaves.push(segment);
    for (let i = segment.segments.length - 1; i >= 0; i--) stack.push(segment.segments[i] as Segment);
  }
  return leaves;
}

/** For each node of the snapshot the leaf it belongs to, -1 for none: that of the nearest node a leaf names. */
export function leafOfNode(snapshot: PageSnapshot, leaves: readonly Segment[]): Int32Array {
  const owner = new Int32Array(snapshot.nodes.length).fill(-1);
  leaves.forEach((leaf, index) => {
    for (const node of leaf.nodes) if (node < owner.length) owner[node] = index;
  });
  snapshot.nodes.forEach((node, i) => {
    if (owner[i] === -1 && node.parent >= 0) owner[i] = owner[node.parent] as number;
  });
  return owner;
}
