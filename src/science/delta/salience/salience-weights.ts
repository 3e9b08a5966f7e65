import type { FindingKind } from './finding.ts';

/** The weights of salience; fitted on judged changes, see scripts/fit-salience.ts. */
export interface SalienceWeights {
  /** Attention falls with (1 + screens below the lead) to this power. */
  readonly place: number;
  /** Attention grows with the type size, up to LARGE_TYPE times the page's, to this power. */
  readonly type: number;
  /** Attention grows with the worth of the block's role, up to GOOD_LEVEL, to this power. */
  readonly level: number;
  /** Words' worth at which 63 % of the news has been told. */
  readonly words: number;
  /**
   * Of texts that came and texts that went, the lesser side counts this much: the text that a new story pushes off the
   * page is part of the news, not a separate loss. If nothing came, what went counts in full.
   */
  readonly exchanged: number;
  /** Worth of one finding of a kind, if everybody looks at it and all of it is new. */
  readonly kinds: Readonly<Record<FindingKind, number>>;
}

/** Relative to the page's type: a headline counts as no larger than this. */
export const LARGE_TYPE = 2;
/** Relative to the best block's level: lists of stories reach it, menus and footers do not. */
export const GOOD_LEVEL = 0.4;

/**
 * The most that all findings of a kind can reach together. A page of 300 stories has 300 times of day, which together
 * tell a reader nothing; a complete reordering is less than one new lead. Other kinds reach 1.
 */
export const CEILINGS: Readonly<Partial<Record<FindingKind, number>>> = {
  volatile: 0.03,
  advertisement: 0.015,
  shape: 0.02,
  address: 0.1,
  order: 0.15,
  picture: 0.25,
};
