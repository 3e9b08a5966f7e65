import type { Millis } from '../../model/time.ts';

/**
 * Which directories the next crawl of a site leaves out, why, and what that is expected to cost. The unit is the pages
 * directly in a directory; a subtree is several directories.
 */
export interface SkipOptions {
  readonly now: Millis;
  /** The budget: share of the pages changed since their last visit that may be missed, 1 − CR. */
  readonly missAtMost: number;
  /** With fewer versions than this nothing is skipped. */
  readonly minVersions?: number;
  /** A directory is looked at again after at most this many crawls. */
  readonly refreshEvery?: number;
  /** URLs visited regardless of the plan. */
  readonly pinned?: Iterable<string>;
  /** By URL: when the page was last seen. Pages of a directory that nobody looked at may have been seen individually, new ones too. */
  readonly lastSeen?: ReadonlyMap<string, Millis>;
  /** By URL: when the page last changed, according to the site's sitemap now. */
  readonly lastModified?: ReadonlyMap<string, Millis>;
}

export const SKIP_DEFAULTS = { minVersions: 10, refreshEvery: 8 } as const;

export type PlannedReason =
  /** A negative rule: while the directories of its head change, this one does not. */
  | {
      readonly kind: 'near' | 'relaxed-near';
      readonly head: readonly string[];
      /** The tail of the rule: the directory itself or one above it. */
      readonly tail: string;
      /** α: smallest degree of change at which a directory of the head counts as changed. */
      readonly alpha: number;
      readonly confidence: number;
    }
  /** None of its pages changed in this many of its last observations. */
  | { readonly kind: 'quiet'; readonly transitions: number }
  /** Few of its pages are expected to have changed. */
  | { readonly kind: 'predicted'; readonly changeProbability: number }
  /** The site's sitemap says that none of them changed, and it was right before. */
  | { readonly kind: 'sitemap'; readonly pages: number; readonly trust: number };

export interface PlannedSkip {
  /** Its own pages only; a subtree is several directories. */
  readonly directory: string;
  /** Pages not visited; pinned ones do not count. */
  readonly pages: number;
  readonly reason: PlannedReason;
  /** Pages expected to have been inserted, deleted or updated there by now. */
  readonly expectedMissed: number;
  /** Chance that nothing is missed there. */
  readonly confidence: number;
  /** When its pages were last seen, by the one seen longest ago. */
  readonly lastSeen: Millis;
}

/** Why nothing is skipped. */
export type NoSkip =
  | { readonly kind: 'too-few-versions'; readonly versions: number; readonly needed: number }
  /** On the site's own past, plans like this one missed more than allowed. */
  | { readonly kind: 'history-does-not-support-it'; readonly validation: SkipValidation }
  | { readonly kind: 'nothing-to-skip'; readonly validation: SkipValidation };

/** What plans like this one would have done on versions of the site that are known by now. */
export interface SkipValidation {
  /** Versions planned for. */
  readonly versions: number;
  /** How many of these had a change. */
  readonly changed: number;
  /** Share of pages left out, BR. */
  readonly bypassRatio: number;
  /** Share of changed pages expected to be missed, and share actually missed. */
  readonly promisedMiss: number;
  readonly foundMiss: number;
}

export type SkipPlan =
  | { readonly kind: 'none'; readonly why: NoSkip }
  | {
      readonly kind: 'plan';
      readonly skips: readonly PlannedSkip[];
      /** Share of the changed pages expected to be missed. */
      readonly promisedMiss: number;
      readonly validation: SkipValidation;
    };
