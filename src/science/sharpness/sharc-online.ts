/**
 * SHARC-online (SHARC 2009, §5.3, Algorithm 2): an organ pipe over a site that is discovered on the way.
 *
 * | paper | here |
 * | --- | --- |
 * | n^D, n^E | downloaded, waiting |
 * | n + 1 | `firstGuess`: the paper estimates the size once, when the crawl starts (§3) |
 * | p^E_k | k-th coldest of the waiting pages |
 *
 * Departure: none where a first guess is given: not even a size known to be too small is corrected. Where there
 * is none (a site never captured before) the current estimate stands in, since the phases need a number.
 */
import type { CrawlCourse, SlotRule } from './slot-rule.ts';

export type Phase = 'ascending' | 'middle' | 'descending';

const sizeOf = ({ firstGuess, estimate }: CrawlCourse): number => (firstGuess > 0 ? firstGuess : estimate);

/** Eq. 12, 14, 16. */
export function phase(course: CrawlCourse): Phase {
  const half = sizeOf(course) / 2;
  if (course.downloaded + course.waiting <= half) return 'ascending';
  return course.downloaded <= half ? 'middle' : 'descending';
}

/** Eq. 11, 13, 15: coldest first; one page is kept for the descending part for each one downloaded; hottest first. */
const PLACES: Readonly<Record<Phase, (course: CrawlCourse) => number>> = {
  ascending: () => 0,
  middle: ({ downloaded, waiting }) => Math.min(downloaded, waiting - 1),
  descending: ({ waiting }) => waiting - 1,
};

export const sharcOnline: SlotRule = (course) => {
  const part = phase(course);
  return { place: PLACES[part](course), part, size: sizeOf(course) };
};

/** The paper's comparison without a middle phase (§5.5, Fig. 4): coldest first up to the middle, hottest from there on. */
export const greedyPipes: SlotRule = (course) => {
  const size = sizeOf(course);
  return { place: course.downloaded < size / 2 ? 0 : course.waiting - 1, size };
};
