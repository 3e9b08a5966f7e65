/**
 * `adaptive-online` (ours): SHARC-online that does not trust its first guess of the site's size.
 *
 * The size is estimated anew at every step from what downloads brought to light: a page d links from the seeds
 * gives on average m_d new pages (the discovery curve by depth), so the detected pages will lead to
 * Σ m_d·(1 + m_{d+1}·(1 + …)) more. The first guess counts as a few downloads' worth of evidence about m_d and fades.
 * The next page is then the one that stands where the slot does in the organ pipe over all pages, known or not
 * (`organPipeIndex`): the detected pages stand for the undetected.
 */
import { organPipeIndex } from './explore-first.ts';
import type { DetectedPage, OnlineStrategy } from './online-order.ts';
import { RateBag } from './rate-bag.ts';

/** Downloads per depth that the first guess weighs as much as. */
const GUESS_WEIGHT = 4;
const MAX_DEPTH = 32;

export const adaptiveOnline: OnlineStrategy = (estimatedSize) => {
  const bag = new RateBag();
  const depthOf = new Map<number, number>();
  const detectedAt = new Float64Array(MAX_DEPTH + 2);
  const downloadedAt = new Float64Array(MAX_DEPTH + 2);
  const waitingAt = new Float64Array(MAX_DEPTH + 2);
  let guess = estimatedSize;
  let downloaded = 0;
  let known = 0;

  const size = (): number => {
    // What the guess says each waiting page will lead to.
    const guessed = Math.max(0, guess - known) / Math.max(1, known - downloaded);
    let more = 0;
    let below = 0;
    for (let depth = MAX_DEPTH; depth >= 0; depth--) {
      const seen = downloadedAt[depth] as number;
      const children = (detectedAt[depth + 1] as number) / Math.max(1, seen);
      const evidence = seen / (seen + GUESS_WEIGHT);
      const descendants = evidence * children * (1 + below) + (1 - evidence) * guessed;
      more += (waitingAt[depth] as number) * descendants;
      below = Math.min(descendants, 1e6);
    }
    return known + more;
  };

  return {
    resize: (better) => {
      guess = better;
    },
    detect: ({ page, rate, depth }: DetectedPage) => {
      const level = Math.min(depth, MAX_DEPTH);
      depthOf.set(page, level);
      (detectedAt[level] as number)++;
      (waitingAt[level] as number)++;
      known++;
      bag.add(page, rate);
    },
    next: () => {
      if (bag.size === 0) return undefined;
      const page = bag.takeAt(organPipeIndex(downloaded, bag.size, size()));
      const level = depthOf.get(page) ?? 0;
      depthOf.delete(page);
      (downloadedAt[level] as number)++;
      (waitingAt[level] as number)--;
      downloaded++;
      return page;
    },
  };
};
