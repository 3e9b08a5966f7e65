/** Cuts of a page that can be compared: for every snapshot node, the block it falls into. */
import type { Segment } from '../../model/layout.ts';
import type { PageSnapshot, SnapshotNode } from '../../model/page-snapshot.ts';
import type { Segmenter } from '../../science/layout/segmenter.ts';
import type { Level } from './annotated-page.ts';

export type Partition = Int32Array;

/** Something to measure: what it takes for the blocks of each level. */
export interface Cutter {
  readonly name: string;
  partition(snapshot: PageSnapshot, level: Level): Partition;
}

/** Leaves of a tree of segments, left to right; iterative, since trees may be deep. */
export function leavesOf(root: Segment): Segment[] {
  const leaves: Segment[] = [];
  const open = [root];
  for (let segment = open.pop(); segment !== undefined; segment = open.pop()) {
    if (segment.segments.length === 0) leaves.push(segment);
    for (let i = segment.segments.length - 1; i >= 0; i--) open.push(segment.segments[i] as Segment);
  }
  return leaves;
}

/** Which of these segments each node lies in; -1 in none. The innermost listed node around it decides. */
function partitionBy({ nodes }: PageSnapshot, segments: readonly Segment[]): Partition {
  const partition = new Int32Array(nodes.length).fill(-1);
  segments.forEach((segment, index) => {
    for (const node of segment.nodes) partition[node] = index;
  });
  for (let i = 0; i < nodes.length; i++) {
    const { parent } = nodes[i] as SnapshotNode;
    if (partition[i] === -1 && parent >= 0) partition[i] = partition[parent] as number;
  }
  return partition;
}

/** Level 1: the root's children; level 2: the leaves. */
export function treeCutter(segmenter: Segmenter): Cutter {
  return {
    name: segmenter.name,
    partition: (snapshot, level) => {
      const root = segmenter.segment(snapshot);
      const coarse = root.segments.length > 0 ? root.segments : [root];
      return partitionBy(snapshot, level === 1 ? coarse : leavesOf(root));
    },
  };
}

/** The leaves at either level, e.g. of VIPS with a degree of coherence for each. */
export function leafCutter(name: string, segmenters: Readonly<Record<Level, Segmenter>>): Cutter {
  return {
    name,
    partition: (snapshot, level) => partitionBy(snapshot, leavesOf(segmenters[level].segment(snapshot))),
  };
}
