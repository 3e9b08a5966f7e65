import type { Millis } from './time.ts';
import type { Weighing } from './version.ts';

export type PatternKind = 'daily' | 'workday-weekend' | 'holiday' | 'day-of-week' | 'weekly' | 'monthly';

/** From simple to rich. */
export const PATTERN_KINDS: readonly PatternKind[] = [
  'daily',
  'workday-weekend',
  'holiday',
  'day-of-week',
  'weekly',
  'monthly',
];

/** Whether a local date, `YYYY-MM-DD`, is a day off. */
export type HolidayTest = (localDate: string) => boolean;

/** What a learner has summed up for a page, per slot of its kind, with older observations decayed. */
export interface PatternSums {
  /** Expected changes. */
  readonly changes: readonly number[];
  /** Hours observed. */
  readonly hours: readonly number[];
  /** Gaps that saw a change, and the importance, or salience, of these changes. */
  readonly seen: readonly number[];
  readonly weight: readonly number[];
  /** Rates relative to their mean that the learner started from; flat unless given. */
  readonly shape?: readonly number[];
  /** Unix seconds of the newest gap in it. */
  readonly until?: number;
}

/** What is learnt of one page from its own visits, and its last sighting, from which learning continues. */
export interface LearntPage {
  readonly url: string;
  readonly kind: PatternKind;
  /** Visits that saw the page, and gaps between them that saw a change. */
  readonly observations: number;
  readonly changes: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly lastSha256: string;
  readonly lastLook?: string;
  /** Since when it is known to be gone (404, 410, moved for good). */
  readonly goneAt?: Millis;
  readonly sums: PatternSums;
}

/** A learnt page with what it shares with others, and what follows from that. */
export interface PagePattern extends LearntPage {
  /** Number of its group within its site and kind. */
  readonly group: number;
  /** δ of its pattern: what a version must reach to be indexed, before the site's factor. */
  readonly threshold: number;
}

/** Pages of a site that change alike. */
export interface PatternGroup {
  readonly kind: PatternKind;
  readonly number: number;
  readonly pages: number;
  /** Rates relative to their mean, per slot. */
  readonly shape: readonly number[];
}

/** What is learnt of a site as a whole. */
export interface LearntSite {
  readonly site: string;
  /** IANA name of the zone of its slots. */
  readonly zone: string;
  /** Country, or part of one, whose days off have slots of their own; absent where none was given. */
  readonly holidays?: string;
  /** The number that its patterns and thresholds are in; importance unless given. */
  readonly weigh?: Weighing;
  /** Bytes a day for kept versions; absent where unlimited. */
  readonly budget?: number;
  /** Multiplies every threshold, so that the past would have fitted into the budget; 1 without a budget. */
  readonly factor: number;
  /** Captures up to this mark of the catalog are included. */
  readonly mark: number;
}

/** What one visit saw of a page, as far as the catalog knows. */
export interface PageSighting {
  readonly at: Millis;
  /** Gone: the server said so. */
  readonly state: 'there' | 'gone';
  /** SHA-256 of the payload. */
  readonly sha256: string;
  readonly look?: string;
  /** Of the change since the last archived version, where a delta or a decision gives it. */
  readonly importance?: number;
  /** Of the same change, where its delta gives it. */
  readonly salience?: number;
}

export interface SeenPage {
  readonly url: string;
  /** Oldest first, each moment once. */
  readonly sightings: readonly PageSighting[];
}
