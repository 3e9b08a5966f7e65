import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { type AdLists, adJudge } from './ad-signals.ts';
import { blocks } from './blocks/index.ts';
import { type ImportanceOptions, weighByModel } from './importance/block-importance.ts';
import { type LayoutOptions, type PlacedLayout, placedLayoutOf } from './layout-of.ts';
import type { Segmenter, SegmenterName } from './segmenter.ts';
import { vips } from './vips/vips.ts';

const SEGMENTERS: Readonly<Record<SegmenterName, Segmenter>> = { blocks, vips: vips() };

/** The segmenter used unless another is asked for. */
export const USUAL_SEGMENTER: string = blocks.name;

export interface PageLayoutOptions
  extends Pick<LayoutOptions, 'version' | 'imageDigest' | 'previous'>,
    Pick<ImportanceOptions, 'manual' | 'changeShares'> {
  readonly segmenter?: SegmenterName;
  /** Filter lists, bound to the page; without them, advertisements are recognised by labels, targets and sizes alone. */
  readonly ads?: AdLists;
}

/** The only way from a snapshot to a layout: the crawler, the commands and the lab all use it. */
export function pageLayout(snapshot: PageSnapshot, options: PageLayoutOptions): PlacedLayout {
  const segmenter = SEGMENTERS[options.segmenter ?? 'blocks'];
  // Layouts from different segmenters are not compared, nor is a page cut along a layout from another.
  const previous = options.previous?.segmenter === segmenter.name ? options.previous : undefined;
  return placedLayoutOf(snapshot, segmenter.segment(snapshot, previous), {
    previous,
    version: options.version,
    segmenter: segmenter.name,
    imageDigest: options.imageDigest,
    isAdvertisement: adJudge(snapshot, options.ads),
    weigh: weighByModel({ manual: options.manual, changeShares: options.changeShares }),
  });
}
