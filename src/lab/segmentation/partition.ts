/** Comparable cuts of a page: for every snapshot node, the block that it falls into. */
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { leafOfNode, leavesOf } from '../../science/layout/segment-leaves.ts';
import type { Segmenter } from '../../science/layout/segmenter.ts';
import type { Level } from './annotated-page.ts';

export type BlockPartition = Int32Array;

/** Something to measure: what it considers the blocks of each level. */
export interface Cutter {
  readonly name: string;
  partition(snapshot: PageSnapshot, level: Level): BlockPartition;
}

/** Level 1: the root's children; level 2: the leaves. */
export function treeCutter(segmenter: Segmenter): Cutter {
  return {
    name: segmenter.name,
    partition: (snapshot, level) => {
      const root = segmenter.segment(snapshot);
      const coarse = root.segments.length > 0 ? root.segments : [root];
      return leafOfNode(snapshot, level === 1 ? coarse : leavesOf(root));
    },
  };
}

/** The leaves at either level, e.g. from VIPS with one degree of coherence for each. */
export function leafCutter(name: string, segmenters: Readonly<Record<Level, Segmenter>>): Cutter {
  return {
    name,
    partition: (snapshot, level) => leafOfNode(snapshot, leavesOf(segmenters[level].segment(snapshot))),
  };
}
