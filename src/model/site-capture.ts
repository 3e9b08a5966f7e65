import type { Truncation } from './exchange.ts';
import type { InferredDirectory } from './inference.ts';
import type { PageGroup } from './page-group.ts';
import type { Millis } from './time.ts';

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
  /** In visit order. */
  readonly pages: readonly CapturedPage[];
  /** Pages that must agree; absent where nobody looked for them. */
  readonly groups?: readonly PageGroup[];
  /** What was not visited; absent where it was not counted. */
  readonly unvisited?: UnvisitedPages;
}

export interface UnvisitedPages {
  /** Directories whose pages keep their archived version. */
  readonly inferred: readonly KeptDirectory[];
  /** URLs left out by other rules: scope, robots.txt, limits, traps. */
  readonly skipped: number;
}

export interface KeptDirectory extends Omit<InferredDirectory, 'assumes' | 'state' | 'urls'> {
  readonly pages: readonly (RecordedVisit & { readonly url: string })[];
  /** Of a mirror: pages of its origin that were never seen at the mirror. */
  readonly unseen?: readonly string[];
}

/** What the second pass is for: least blur; most sharp pages; most sharp pages that also agree with each other; or no second pass. */
export const REVISIT_MODES = ['none', 'blur', 'sharp', 'agree'] as const;
export type RevisitMode = (typeof REVISIT_MODES)[number];

export interface RecordedVisit {
  /** When the request was sent. */
  readonly at: Millis;
  /** The response or revisit record of this visit. */
  readonly recordId: string;
  /** Of the payload, lower-case hex; when the record is a revisit, of the payload it stands for. */
  readonly sha256: string;
  readonly status: number;
  /** Why the answer is incomplete. */
  readonly truncated?: Truncation;
}

/**
 * 'gone': the page no longer answers with a page (404, 410, a redirect elsewhere). 'cut': one of the two answers was cut
 * short, so it is unknown whether the rest was the same.
 */
export type RevisitOutcome = 'same' | 'changed' | 'gone' | 'cut';

export interface PageRevisit extends RecordedVisit {
  readonly outcome: RevisitOutcome;
}

export interface CapturedPage {
  readonly url: string;
  readonly visit: RecordedVisit;
  /** Absent when there was no second pass, or the server did not answer. */
  readonly revisit?: PageRevisit;
  /** Changes per second, as the schedule assumed. */
  readonly rate: number;
  /** Whether a reader would see the same at visit and revisit; absent when unknown. */
  readonly visiblyUnchanged?: boolean;
}
