/**
 * `explore-first` (ours): one page of each directory first, then an organ pipe over what is known.
 *
 * Index pages lead to the rest of their directory, so after them nearly the whole site is known, and the pipe
 * needs no estimate of its size: a wrong one costs SHARC-online up to 40%. The price is that index pages, often
 * warm, stand at the start. Among directories the coldest page comes first.
 *
 * The pipe is the middle phase of SHARC-online on the size known so far, which grows with each detection: with d
 * pages downloaded and e known, the d coldest are kept for the end as long as the first half lasts, then the
 * hottest come first.
 */
import type { DetectedPage, OnlineStrategy } from './online-order.ts';
import { RateBag } from './rate-bag.ts';

export const exploreFirst: OnlineStrategy = () => {
  /** First page detected of each directory not looked into yet. */
  const indexes = new RateBag();
  const bag = new RateBag();
  const entered = new Set<string>();
  let downloaded = 0;
  return {
    detect: (detected: DetectedPage) => {
      const isNew = detected.directory !== '' && !entered.has(detected.directory);
      entered.add(detected.directory);
      (isNew ? indexes : bag).add(detected.page, detected.rate);
    },
    next: () => {
      const done = downloaded++;
      if (indexes.size > 0) return indexes.takeAt(0);
      return bag.size === 0 ? undefined : bag.takeAt(organPipeIndex(done, bag.size, done + bag.size));
    },
  };
};

/**
 * Which of the detected pages, by rate, belongs in the next slot: of `downloaded` + `detected` pages out of `size`.
 * Left of the middle, as many of the remaining slots are farther out as pages are downloaded; the detected stand
 * for the undetected in proportion. Right of it the next slot is the innermost left.
 */
export function organPipeIndex(downloaded: number, detected: number, size: number): number {
  const total = Math.max(size, downloaded + detected);
  const hottest = detected - 1;
  if (downloaded > (total - 1) / 2) return hottest;
  return Math.min(hottest, Math.floor((downloaded * detected) / (total - downloaded)));
}
