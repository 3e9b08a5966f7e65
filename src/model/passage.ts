export const PASSAGE_KINDS = ['title', 'headline', 'lead', 'body', 'aside', 'navigation', 'footer'] as const;
/** What part of a page a passage is. */
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/** What a reader takes in at once: a headline, a paragraph, the links of a menu. */
export interface Passage {
  readonly text: string;
  readonly kind: PassageKind;
  /** In [0, 1]: what a hit there is worth. */
  readonly weight: number;
}
