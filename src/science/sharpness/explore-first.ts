/**
 * `explore-first` (ours): one page of each directory first, then an organ pipe over what is known.
 *
 * Index pages lead to the rest of their directory, so after them nearly the whole site is known, and the pipe
 * needs no estimate of its size: a wrong one costs SHARC-online up to 40%. The price is that index pages, often
 * warm, come at the start. Among directories the coldest page comes first. The pipe assumes that the site is as large
 * as what is known of it so far.
 */
import { adaptiveOrganPipe } from './adaptive-organ-pipe.ts';
import type { DetectedPage, OnlineStrategy } from './online-order.ts';
import { RateBag } from './rate-bag.ts';

export const exploreFirst: OnlineStrategy = () => {
  /** First page detected in each directory not explored yet. */
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
      if (bag.size === 0) return undefined;
      const known = done + bag.size;
      const course = { downloaded: done, waiting: bag.size, firstGuess: known, estimate: known };
      return bag.takeAt(adaptiveOrganPipe(course).place);
    },
  };
};
