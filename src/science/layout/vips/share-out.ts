/**
 * From regions to segments that share out the page: each rendered node belongs to exactly one leaf. Nodes that VIPS
 * cuts or never sees (rule 1, text of no size, text outside the page) go with the nearest content around them.
 *
 * A leaf's nodes are the highest subtrees whose content is all its own, so that one wrapper more or less gives the same
 * nodes, and an overlay is never inside two leaves.
 */
import type { Segment } from '../../../model/layout.ts';
import type { Box } from '../../../model/page-snapshot.ts';
import { leavesIn } from '../segment-leaves.ts';
import type { VipsTree } from './visual-tree.ts';

/** A region with its final degree of coherence. */
export interface Share {
  readonly doc: number;
  /** For a leaf: roots of its subtrees, which overlays may interrupt. */
  readonly nodes: readonly number[];
  readonly parts: readonly Share[];
}

const NONE = -1;
const MIXED = -2;

export function shareOut(tree: VipsTree, root: Share): Segment {
  const leaves = leavesIn(root, ({ parts }) => parts);
  const labels = labelContent(tree, leaves);
  const nodes = highestSubtrees(tree, labels, leaves.length);
  const index = new Map(leaves.map((leaf, i) => [leaf, i]));
  const build = (share: Share): Segment => {
    if (share.parts.length === 0) {
      const own = nodes[index.get(share) ?? 0] ?? [];
      return {
        box: enclosing(own.map((node) => extentOf(tree, node))),
        doc: share.doc,
        nodes: own,
        segments: [],
      };
    }
    const segments = share.parts.map(build);
    return {
      box: enclosing(segments.map(({ box }) => box)),
      doc: share.doc,
      nodes: segments.flatMap((segment) => segment.nodes).sort((a, b) => a - b),
      segments,
    };
  };
  const whole = build(root);
  return { ...whole, nodes: tree.snapshot.nodes.length > 0 ? [0] : [] };
}

/** For each node without children, the index of its leaf; NONE for all others. */
function labelContent(tree: VipsTree, leaves: readonly Share[]): Int32Array {
  const { nodes } = tree.snapshot;
  const overlays = new Set(tree.overlays);
  const region = new Int32Array(nodes.length).fill(NONE);
  leaves.forEach((leaf, i) => {
    for (const node of leaf.nodes) region[node] = i;
  });
  const inner = new Uint8Array(nodes.length);
  nodes.forEach((node, i) => {
    if (node.parent < 0) return;
    inner[node.parent] = 1;
    if (region[i] === NONE && !overlays.has(i)) region[i] = region[node.parent] ?? NONE;
  });
  // Top-down: a node that no region holds goes with the first content of the nearest ancestor that has content.
  const first = new Int32Array(nodes.length).fill(NONE);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const parent = nodes[i]?.parent ?? -1;
    if (!inner[i] && region[i] !== NONE) first[i] = region[i] ?? NONE;
    if (parent >= 0 && first[i] !== NONE && !overlays.has(i)) first[parent] = first[i] ?? NONE;
  }
  const label = new Int32Array(nodes.length).fill(NONE);
  nodes.forEach((node, i) => {
    if (first[i] === NONE) first[i] = node.parent < 0 ? 0 : (first[node.parent] ?? 0);
    if (!inner[i]) label[i] = region[i] === NONE ? (first[i] ?? 0) : (region[i] ?? 0);
  });
  return label;
}

function highestSubtrees(tree: VipsTree, content: Int32Array, leaves: number): readonly number[][] {
  const { nodes } = tree.snapshot;
  const label = Int32Array.from(content);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const parent = nodes[i]?.parent ?? -1;
    if (parent < 0) continue;
    const mine = label[i] ?? NONE;
    if (label[parent] === NONE) label[parent] = mine;
    else if (mine !== NONE && label[parent] !== mine) label[parent] = MIXED;
  }
  const roots: number[][] = Array.from({ length: leaves }, () => []);
  nodes.forEach((node, i) => {
    const mine = label[i] ?? NONE;
    if (mine >= 0 && (node.parent < 0 || label[node.parent] === MIXED)) roots[mine]?.push(i);
  });
  return roots;
}

function extentOf(tree: VipsTree, node: number): Box | undefined {
  if (!tree.valid[node]) return undefined;
  const [x, y] = [tree.left[node] ?? 0, tree.top[node] ?? 0];
  return [x, y, (tree.right[node] ?? x) - x, (tree.bottom[node] ?? y) - y];
}

/** The bounding box of the boxes; if there are none, an empty one at the page's corner. */
function enclosing(boxes: readonly (Box | undefined)[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (!box) continue;
    left = Math.min(left, box[0]);
    top = Math.min(top, box[1]);
    right = Math.max(right, box[0] + box[2]);
    bottom = Math.max(bottom, box[1] + box[3]);
  }
  return left === Infinity ? [0, 0, 0, 0] : [left, top, right - left, bottom - top];
}
