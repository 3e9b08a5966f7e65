import type { FindingKind } from './finding.ts';

/** What salience is made of; fitted on judged changes, see scripts/fit-salience.ts. */
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
   * Of texts that came and texts that went, the lesser side counts this much: what a new story pushes off the page is part
   * of the news, not a loss of its own. Where nothing came, what went counts in full.
   */
  readonly exchanged: number;
  /** What one finding of a kind is worth where everybody looks and all of it is new. */
  readonly kinds: Readonly<Record<FindingKind, number>>;
}

/** Times the page's type: from here on a headline is as large as can be. */
export const LARGE_TYPE = 2;
/** Of the best block's level: lists of stories reach it, menus and footers do not. */
export const GOOD_LEVEL = 0.4;

/**
 * What all findings of a kind can come to together. A page of 300 stories has 300 times of day, and all of them together
 * tell a reader nothing; an order turned upside down is less than one new lead. Other kinds reach 1.
 */
export const CEILINGS: Readonly<Partial<Record<FindingKind, number>>> = {
  volatile: 0.03,
  advertisement: 0.015,
  shape: 0.02,
  address: 0.1,
  order: 0.15,
  picture: 0.25,
};
