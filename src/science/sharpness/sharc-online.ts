/**
 * SHARC-online (SHARC 2009, §5.3, Algorithm 2): an organ pipe over a site that is discovered on the way.
 *
 * | paper | here |
 * | --- | --- |
 * | n^D, n^E | downloaded, bag.size |
 * | n + 1 | estimatedSize |
 * | p^E_k | k-th coldest of the detected pages |
 *
 * Each choice is O(log n). Departures: none in `sharcOnline`, but that a size known to be too small (more pages
 * are downloaded or detected) is not corrected, as in the paper. With a size twice too large it becomes
 * coldest-first; `greedyOnline` is the paper's comparison without the middle phase (§5.5, Fig. 4).
 */
import type { OnlineStrategy } from './online-order.ts';
import { RateBag } from './rate-bag.ts';

export type Phase = 'ascending' | 'middle' | 'descending';

/** Eq. 12, 14, 16. */
export function phase(downloaded: number, detected: number, estimatedSize: number): Phase {
  const half = estimatedSize / 2;
  if (downloaded + detected <= half) return 'ascending';
  return downloaded <= half ? 'middle' : 'descending';
}

export const sharcOnline: OnlineStrategy = (estimatedSize) => {
  const bag = new RateBag();
  let downloaded = 0;
  let size = estimatedSize;
  return {
    detect: ({ page, rate }) => bag.add(page, rate),
    resize: (better) => {
      size = better;
    },
    next: () => {
      if (bag.size === 0) return undefined;
      const hottest = bag.size - 1;
      let index = hottest;
      const now = phase(downloaded, bag.size, size);
      if (now === 'ascending') index = 0;
      // Eq. 13: one page is kept for the descending part for each one downloaded.
      else if (now === 'middle' && downloaded < bag.size) index = downloaded;
      downloaded++;
      return bag.takeAt(index);
    },
  };
};

/** Coldest first up to the middle, hottest first from there. */
export const greedyOnline: OnlineStrategy = (estimatedSize) => {
  const bag = new RateBag();
  let downloaded = 0;
  return {
    detect: ({ page, rate }) => bag.add(page, rate),
    next: () => {
      if (bag.size === 0) return undefined;
      return bag.takeAt(downloaded++ < estimatedSize / 2 ? 0 : bag.size - 1);
    },
  };
};
