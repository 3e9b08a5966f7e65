import type { InferenceReason } from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';
import type { Calibration } from '../../science/evolution/skip-calibration.ts';
import type { SkipValidation } from '../../science/evolution/skip-plan.ts';

/** What the history of a site says of its directories: rules, what the next crawl would leave out, and how that went before. */
export interface RulesReport {
  readonly site: string;
  readonly versions: readonly { readonly at: Millis; readonly pages: number }[];
  /** The surest first. */
  readonly rules: readonly RuleView[];
  readonly plan: RulesPlan;
  readonly calibration: Calibration;
  /** Pages that crawls left out since the site mirrors another, summed over crawls: no rule said so, and none is judged by them. */
  readonly mirrored: number;
  /** As a tree, each directory before those below it. */
  readonly directories: readonly DirectoryView[];
}

export interface RuleView {
  readonly head: readonly string[];
  readonly tail: string;
  /** Transitions in which the head changed significantly; and those of them in which the tail did not. */
  readonly times: number;
  readonly held: number;
  readonly confidence: number;
  /** φ; null where it cannot be told, since one side always or never changed. */
  readonly correlation: number | null;
  readonly words: string;
}

export type RulesPlan =
  | { readonly kind: 'none'; readonly why: string }
  | {
      readonly kind: 'plan';
      readonly missAtMost: number;
      /** Share of the changed pages that is expected to be missed. */
      readonly promisedMiss: number;
      readonly skips: readonly SkipView[];
      readonly validation: SkipValidation;
    };

export interface SkipView {
  readonly directory: string;
  readonly pages: number;
  readonly reason: InferenceReason;
  readonly rule: string;
  readonly expectedMissed: number;
  readonly confidence: number;
  readonly lastSeen: Millis;
}

export interface DirectoryView {
  readonly directory: string;
  readonly depth: number;
  /** Own pages in the last version; and those of the whole subtree. */
  readonly pages: number;
  readonly allPages: number;
  /** Degree of change of the subtree per transition; null where its own pages were not looked at. */
  readonly degrees: readonly (number | null)[];
}
