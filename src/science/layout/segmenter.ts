import type { Layout, Segment } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';

/** A page in regions, and what its next version is to be cut along, if the segmenter remembers. */
export interface SegmentedPage extends Segment {
  /** `Layout.memory`. */
  readonly memory?: string;
}

/** Cuts a page into regions. Pure: equal arguments give equal trees. */
export interface Segmenter {
  /** Includes version and parameters: layouts from different segmenters are not compared. */
  readonly name: string;
  /** `previous` is the layout of the page's last version, if any. */
  segment(snapshot: PageSnapshot, previous?: Layout): SegmentedPage;
}

/** `blocks` is the default; `vips` is the reference it is measured against. */
export const SEGMENTER_NAMES = ['blocks', 'vips'] as const;
export type SegmenterName = (typeof SEGMENTER_NAMES)[number];
