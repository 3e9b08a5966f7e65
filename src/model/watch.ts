/** What a watch plans, does and finds, all on one scale: expected importance newly captured per request. */
import type { PatternKind, PatternSums } from './pattern.ts';
import type { Millis } from './time.ts';

/** How a crawl belongs to a watch: kept in its spec. */
export interface WatchFact {
  /** When the round began, in ISO 8601. */
  readonly round: string;
}

/** Rounds are not captures of a site: queries for the last one exclude them by their key. */
export const ROUND_KEY = 'watch:';

/** What a visit is for. `audit`: a page drawn by lot, to measure what the others miss. */
export const VISIT_KINDS = ['forced', 'refresh', 'source', 'discover', 'audit'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

export interface PlannedVisit {
  readonly url: string;
  readonly kind: VisitKind;
  /** Importance that it is expected to bring. */
  readonly value: number;
  /** Requests that it takes. */
  readonly cost: number;
  /** Includes the numbers that decided; stored with the visit. */
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

/** Something may have changed at a page. */
export interface Signal {
  readonly kind: SignalKind;
  /** Who says so: the address of a feed, a sitemap or a page, or the name of the pinging client. */
  readonly source: string;
  /** The page it is about. */
  readonly url: string;
  /** When it was received. */
  readonly heardAt: Millis;
  /** When the change happened, according to the source. */
  readonly changedAt?: Millis;
  /** How much changed, in [0, 1], where the source says. */
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
  /** Of the change since the last archived version, in [0, 1]; 0 where nothing changed. */
  readonly importance: number;
  readonly requests: number;
  readonly bytes: number;
  /** What a source, or a page that was read, says of others. */
  readonly signals: readonly Signal[];
  /** Pages that it made known, and that may be visited from now on. */
  readonly discovered?: readonly WatchedPage[];
}

/** What is known of a page when a watch begins. */
export interface WatchedPage {
  readonly url: string;
  readonly site: string;
  /** Importance of the page among the others of the archive, in [0, 1], people's decisions included. */
  readonly weight: number;
  /** Absent: a suspect, known only from links. */
  readonly lastVisit?: Millis;
  /** It was there, and has been gone since. */
  readonly goneSince?: Millis;
  /** For a suspect: chance that it belongs to the perimeter; 1 unless known. */
  readonly relevance?: number;
  /** Requests per visit: the page and what it embeds; 1 unless known. */
  readonly cost?: number;
  /** Learnt from its visits; absent while there are too few. */
  readonly pattern?: {
    readonly kind: PatternKind;
    readonly sums: PatternSums;
    /** Shape shared by its group. */
    readonly shape?: readonly number[];
  };
  /** Visits that saw it, and gaps between them that saw a change. */
  readonly observations: number;
  readonly changes: number;
  /** Longest time between visits, in milliseconds; these visits are forced, before anything that is weighed. */
  readonly every?: number;
  /** Reports other pages when it is read: a feed, a sitemap, a front page. */
  readonly tells?: SignalKind;
}

export interface WatchBudget {
  /** Requests per hour, in total. 0 pauses. */
  readonly requestsPerHour: number;
  readonly bytesPerDay?: number;
}

/** What was spent since a moment, and what it brought. */
export interface WatchAccount {
  readonly since: Millis;
  readonly requests: Readonly<Record<VisitKind | 'capture', number>>;
  readonly bytes: number;
  /** Importance expected of the visits, and importance found. */
  readonly expected: number;
  readonly found: number;
}
