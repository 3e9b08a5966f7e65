import type { Look } from './attention.ts';

/** What kind of thing a change is to a reader. */
export type FindingKind =
  /** New or gone words in the lead story. */
  | 'lead'
  /** A headline that came or went, with its story. */
  | 'story'
  /** A headline in other words. */
  | 'headline'
  /** Any other text that came or went. */
  | 'teaser'
  /** Any other text in other words. */
  | 'wording'
  | 'picture'
  /** Something known, in another place or told once more. */
  | 'order'
  /** A link that says what it said and leads elsewhere. */
  | 'address'
  /** A block of another shape. */
  | 'shape'
  | 'advertisement'
  /** Clocks, counters, dates: see volatile-text.ts. */
  | 'volatile';

/** One thing that changed, as far as it can be told without any weight. An operation on a block has several. */
export interface Finding {
  /** Index in the delta's operations. */
  readonly operation: number;
  readonly kind: FindingKind;
  readonly look: Look;
  /** What was not told before, in words' worth; what is no text counts as one picture, one place. */
  readonly untold: number;
  readonly isGone: boolean;
  /** What readers saw. */
  readonly old?: string;
  readonly new?: string;
}
