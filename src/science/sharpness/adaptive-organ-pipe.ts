/**
 * `adaptive-organ-pipe` (ours, the default order of the crawler): the organ pipe of SHARC-offline, over a site that is
 * discovered on the way and whose size is estimated anew at every slot.
 *
 * The next page is the one that would be at this slot in the pipe over all pages, known or not: the waiting
 * pages represent the undetected ones proportionally. Left of the middle, as many of the remaining slots are farther
 * out as pages are downloaded; right of it, the next slot is the innermost left.
 *
 * SHARC-online has the same aim but keeps its first guess of the size, and becomes coldest-first when that is twice
 * too large, at 1.4 times the blur (docs/sharp-captures.md).
 */
import type { SlotRule } from './slot-rule.ts';

export const adaptiveOrganPipe: SlotRule = ({ downloaded, waiting, estimate }) => {
  const size = Math.max(estimate, downloaded + waiting);
  const hottest = waiting - 1;
  if (downloaded > (size - 1) / 2) return { place: hottest, part: 'second half', size };
  const place = Math.floor((downloaded * waiting) / (size - downloaded));
  return { place: Math.min(hottest, place), part: 'first half', size };
};
