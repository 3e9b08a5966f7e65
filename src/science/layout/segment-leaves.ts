import type { Segment } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';

/** Leaves of a tree in document order, however deep it is. */
export function leavesIn<T>(root: T, inner: (node: T) => readonly T[]): T[] {
  const leaves: T[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const children = inner(node);
    if (children.length === 0) leaves.push(node);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as T);
  }
  return leaves;
}

export const leavesOf = (root: Segment): Segment[] => leavesIn(root, ({ segments }) => segments);

/**
 * For each node of the snapshot, the leaf it belongs to: the leaf that names the node or its nearest ancestor; -1 for
 * none.
 */
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
