import type { Millis, Truncation } from './exchange.ts';

/**
 * What one crawl knows of its pages in time: the facts from which blur, sharpness and the certificate are computed.
 * Only pages that were there at their visit are listed; failures and skips are counted elsewhere.
 */
export interface SiteCapture {
  /** Key of the crawl; see Crawl. */
  readonly key: string;
  readonly seeds: readonly string[];
  readonly startedAt: Millis;
  /** End of the last visit or revisit. */
  readonly finishedAt: Millis;
  readonly order: string;
  readonly revisit: RevisitMode;
  /** In the order of their visits. */
  readonly pages: readonly CapturedPage[];
}

/** What the second pass is for: the least blur, the most sharp pages, or no second pass. */
export const REVISIT_MODES = ['none', 'blur', 'sharp'] as const;
export type RevisitMode = (typeof REVISIT_MODES)[number];

export interface PageVisit {
  /** When the request was sent. */
  readonly at: Millis;
  /** The response or revisit record of this visit. */
  readonly recordId: string;
  /** Of the payload, lower-case hex; of the payload it stands for, when the record is a revisit. */
  readonly sha256: string;
  readonly status: number;
  /** Why the answer is not whole. */
  readonly truncated?: Truncation;
}

/**
 * 'gone': the page no longer answers with a page (404, 410, a redirect elsewhere). 'cut': one of the two answers was cut
 * short, and nobody knows whether the rest was the same.
 */
export type RevisitOutcome = 'same' | 'changed' | 'gone' | 'cut';

export interface PageRevisit extends PageVisit {
  readonly outcome: RevisitOutcome;
}

export interface CapturedPage {
  readonly url: string;
  readonly visit: PageVisit;
  /** Absent when there was no second pass, or it brought no answer from the server. */
  readonly revisit?: PageRevisit;
  /** Changes per second, as the schedule believed. */
  readonly rate: number;
  /** Whether a reader would see the same at visit and revisit; absent when not known. */
  readonly visiblyUnchanged?: boolean;
}
