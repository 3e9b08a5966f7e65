import type { Millis } from './time.ts';

/** What becomes of versions that matter little: all are stored, or only those that pass the page's threshold. */
export const STORE_MODES = ['all', 'important'] as const;
export type StoreMode = (typeof STORE_MODES)[number];

/** The number that patterns are learnt from and versions are measured by: the papers' E, or the reader's number (docs/changes.md). */
export const WEIGHINGS = ['importance', 'salience'] as const;
export type Weighing = (typeof WEIGHINGS)[number];

/**
 * Why a version is indexed, or not:
 *   first             the first of its page
 *   no-pattern        it changed, and nothing is known of the page's rhythm yet
 *   important         its importance, or salience where that is the number weighed by, reaches the threshold
 *   accumulated       it reaches it together with what was passed over since the last one
 *   below-threshold   it does not; its importance accumulates
 *   partial           it was not seen whole: the importance of its change is unknown
 *   unchanged         nothing changed since the visit before
 */
export type VersionReason =
  | 'first'
  | 'no-pattern'
  | 'important'
  | 'accumulated'
  | 'below-threshold'
  | 'partial'
  | 'unchanged';

/** What one visit found on a page, and what was decided about it; a part of the page info record. */
export interface VersionFact {
  /** Of the payload, lower-case hex. */
  readonly sha256: string;
  /** Bytes of the page's own records, uncompressed; the catalog gives 0 where nothing changed. */
  readonly size: number;
  /** The same for visits that saw the same; absent where the page was not viewed in a browser. */
  readonly look?: string;
  /**
   * What the version was judged by; threshold and accumulated are in its unit: importance of what readers see (`layout`) or of
   * bytes that differ (`payload`), or the salience of what readers see.
   */
  readonly basis: 'layout' | 'payload' | 'salience';
  /** Of the change since the last archived version, in [0, 1]. */
  readonly importance: number;
  /** Of the same change, where its delta gives it. */
  readonly salience?: number;
  /** For search. */
  readonly indexed: boolean;
  /** False where its records were left out and this fact stands for them. */
  readonly kept: boolean;
  readonly reason: VersionReason;
  /** What importance, or salience, was measured against; 0 while no pattern is known, and in the catalog where nothing changed. */
  readonly threshold: number;
  /** Importance, or salience, passed over since the last indexed version, this one included. */
  readonly accumulated: number;
}

/** A version as the catalog returns it. */
export interface PageVersionFact extends VersionFact {
  readonly url: string;
  readonly at: Millis;
}
