/**
 * Which of the pages known so far takes the next slot of a crawl that discovers its site on the way. A rule sees only
 * counts: the waiting pages are sorted by change rate, and it names a place in that list. The lab and the
 * live crawler call the same rules, and the crawler stores the part of the rule that decided as the reason of the visit.
 */

/** How far the crawl of a site has got. Slots are requests for pages, at the host's pace. */
export interface CrawlCourse {
  /** n^D of SHARC 2009. */
  readonly downloaded: number;
  /** n^E: pages detected and not downloaded. */
  readonly waiting: number;
  /** Number of pages the site was believed to have before the crawl; 0 if unknown. */
  readonly firstGuess: number;
  /** Number of pages the site has, as far as the crawl so far can tell: see DiscoveryCurve. */
  readonly estimate: number;
}

export interface SlotChoice {
  /** From 0, the coldest of the waiting pages, to `waiting` − 1, the hottest. */
  readonly place: number;
  /** The part of the rule that decided; absent where a rule has only one. */
  readonly part?: string;
  /** Number of pages that the rule assumed for the site. */
  readonly size: number;
}

/** Called only while pages are waiting. */
export type SlotRule = (course: CrawlCourse) => SlotChoice;

export const coldest: SlotRule = ({ estimate }) => ({ place: 0, size: estimate });
export const hottest: SlotRule = ({ waiting, estimate }) => ({ place: waiting - 1, size: estimate });
