import type { Segment } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';

/** Cuts a page into regions. Pure: equal snapshots give equal trees. */
export interface Segmenter {
  /** With its version and parameters: layouts of different segmenters are not compared. */
  readonly name: string;
  segment(snapshot: PageSnapshot): Segment;
}

/** `blocks` is the default; `vips` the reference it is measured against. */
export const SEGMENTER_NAMES = ['blocks', 'vips'] as const;
export type SegmenterName = (typeof SEGMENTER_NAMES)[number];
