/** What the living archive plans, does and finds: one scale for all of it, expected importance newly captured per request. */
import type { PatternKind, PatternSums } from './pattern.ts';
import type { Millis } from './time.ts';

/** What a crawl has to do with a watch: kept in its spec. */
export interface WatchFact {
  /** When the round began, in ISO 8601. */
  readonly round: string;
}

/** Rounds are no captures of a site: questions for the last one leave them out by their key. */
export const ROUND_KEY = 'watch:';

/** What a visit is for. `audit`: a page drawn by lot, to measure what the others miss. */
export const VISIT_KINDS = ['forced', 'refresh', 'source', 'discover', 'audit'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

export interface PlannedVisit {
  readonly url: string;
  readonly kind: VisitKind;
  /** Expected importance that it brings. */
  readonly value: number;
  /** Requests that it takes. */
  readonly cost: number;
  /** With the numbers that decided: stored with the visit. */
  readonly reason: string;
}

/** A sharp capture of a whole site, by an ordinary crawl. */
export interface PlannedCapture {
  readonly site: string;
  readonly value: number;
  readonly cost: number;
  readonly reason: string;
}

export const SIGNAL_KINDS = ['feed', 'sitemap', 'link', 'ping', 'group'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** Something may have changed there. */
export interface Signal {
  readonly kind: SignalKind;
  /** Who says so: the address of a feed, a sitemap or a page; the name of whoever pinged. */
  readonly source: string;
  /** The page it speaks of. */
  readonly url: string;
  /** When it was heard. */
  readonly heardAt: Millis;
  /** When the change happened, by the source. */
  readonly changedAt?: Millis;
  /** How much changed, in [0, 1], where the source tells. */
  readonly size?: number;
}

/** What a visit found. */
export interface SeenVisit {
  readonly url: string;
  readonly kind: VisitKind;
  readonly at: Millis;
  readonly outcome: 'changed' | 'unchanged' | 'gone' | 'failed';
  /** Its first version. */
  readonly isFirst?: true;
  /** Why it failed. */
  readonly fault?: string;
  /** Of the change against the last archived version, in [0, 1]; 0 where nothing changed. */
  readonly importance: number;
  readonly requests: number;
  readonly bytes: number;
  /** What a source, or a page that was read, says of others. */
  readonly signals: readonly Signal[];
  /** Pages that became known by it, and may be visited from now on. */
  readonly discovered?: readonly WatchedPage[];
}

/** What is known of a page when a watch begins. */
export interface WatchedPage {
  readonly url: string;
  readonly site: string;
  /** Importance of the page among the others of the archive, in [0, 1]; decisions of people are in it. */
  readonly weight: number;
  /** Absent: a suspect, known by links alone. */
  readonly lastVisit?: Millis;
  /** It was there, and is gone since. */
  readonly goneSince?: Millis;
  /** Of a suspect: chance that it belongs to the perimeter; 1 unless known. */
  readonly relevance?: number;
  /** Requests of a visit: the page and what it embeds; 1 unless known. */
  readonly cost?: number;
  /** Learnt from its visits; absent while there is too little. */
  readonly pattern?: {
    readonly kind: PatternKind;
    readonly sums: PatternSums;
    /** Shape that its group shares. */
    readonly shape?: readonly number[];
  };
  /** Visits that saw it, and gaps between them that saw a change. */
  readonly observations: number;
  readonly changes: number;
  /** At least so often, in milliseconds; forced, before all that is weighed. */
  readonly every?: number;
  /** Tells of other pages when it is read: a feed, a sitemap, a front page. */
  readonly tells?: SignalKind;
}

export interface WatchBudget {
  /** Requests per hour, over all. 0 pauses. */
  readonly requestsPerHour: number;
  readonly bytesPerDay?: number;
}

/** What was spent since a moment, and what it bought. */
export interface WatchAccount {
  readonly since: Millis;
  readonly requests: Readonly<Record<VisitKind | 'capture', number>>;
  readonly bytes: number;
  /** Importance that was expected of the visits, and that was found. */
  readonly expected: number;
  readonly found: number;
}
