import type { ElementKind } from '../../../model/delta.ts';
import type { Look } from './attention.ts';

/** What kind of thing a change is to a reader. */
export type FindingKind =
  /** New or gone words in the lead story. */
  | 'lead'
  /** A headline that came or went, with its story. */
  | 'story'
  /** A headline that was reworded. */
  | 'headline'
  /** Any other text that came or went. */
  | 'teaser'
  /** Any other text that was reworded. */
  | 'wording'
  | 'picture'
  /** Something already known, in another place or told once more. */
  | 'order'
  /** A link with the same text that leads elsewhere. */
  | 'address'
  /** A block with a different shape. */
  | 'shape'
  | 'advertisement'
  /** Clocks, counters, dates: see volatile-text.ts. */
  | 'volatile';

/** One thing that changed, described without any weights. An operation on a block yields several. */
export interface Finding {
  /** Index in the delta's operations. */
  readonly operation: number;
  readonly kind: FindingKind;
  readonly look: Look;
  /** How much is new, in words' worth; anything that is not text counts as one picture, one place. */
  readonly untold: number;
  readonly isGone: boolean;
  /** The text readers saw. */
  readonly old?: string;
  readonly new?: string;
  /** What was found; absent for whole blocks. */
  readonly element?: ElementKind;
  /** The block that has it, or had it. */
  readonly block?: string;
  /** Where links lead. */
  readonly addresses?: { readonly old?: string; readonly new?: string };
}
