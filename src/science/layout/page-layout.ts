import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { type AdLists, adJudge } from './ad-signals.ts';
import { blocks } from './blocks/index.ts';
import { type ImportanceOptions, weighByModel } from './importance/block-importance.ts';
import { type LayoutOptions, type PlacedLayout, placedLayoutOf } from './layout-of.ts';
import type { Segmenter, SegmenterName } from './segmenter.ts';
import { vips } from './vips/vips.ts';

const SEGMENTERS: Readonly<Record<SegmenterName, Segmenter>> = { blocks, vips: vips() };

export interface PageLayoutOptions
  extends Pick<LayoutOptions, 'version' | 'imageDigest'>,
    Pick<ImportanceOptions, 'manual' | 'changeShares'> {
  readonly segmenter?: SegmenterName;
  /** Filter lists, bound to the page; sizes and frames alone tell advertisements without them. */
  readonly ads?: AdLists;
}

/** The one way from a snapshot to a layout: the crawler, the commands and the lab all take it. */
export function pageLayout(snapshot: PageSnapshot, options: PageLayoutOptions): PlacedLayout {
  const segmenter = SEGMENTERS[options.segmenter ?? 'blocks'];
  return placedLayoutOf(snapshot, segmenter.segment(snapshot), {
    version: options.version,
    segmenter: segmenter.name,
    imageDigest: options.imageDigest,
    isAdvertisement: adJudge(snapshot, options.ads),
    weigh: weighByModel({ manual: options.manual, changeShares: options.changeShares }),
  });
}
