/**
 * `adaptive-online` (ours): SHARC-online that does not trust its first guess of the site's size.
 *
 * The size is estimated anew at every step from what downloads brought to light (`DiscoveryCurve`). The next page is
 * then the one that stands where the slot does in the organ pipe over all pages, known or not (`organPipeIndex`): the
 * detected pages stand for the undetected. It is what `--order sharc-online` does in the crawler.
 */
import { DiscoveryCurve } from './discovery-curve.ts';
import { organPipeIndex } from './explore-first.ts';
import type { DetectedPage, OnlineStrategy } from './online-order.ts';
import { RateBag } from './rate-bag.ts';

export const adaptiveOnline: OnlineStrategy = (estimatedSize) => {
  const bag = new RateBag();
  const depthOf = new Map<number, number>();
  const curve = new DiscoveryCurve(estimatedSize);
  return {
    resize: (better) => curve.resize(better),
    detect: ({ page, rate, depth }: DetectedPage) => {
      depthOf.set(page, depth);
      curve.detect(depth);
      bag.add(page, rate);
    },
    next: () => {
      if (bag.size === 0) return undefined;
      const page = bag.takeAt(organPipeIndex(curve.downloaded, bag.size, curve.estimate()));
      curve.download(depthOf.get(page) ?? 0);
      depthOf.delete(page);
      return page;
    },
  };
};
