/**
 * How a stored version stands to the one before it. Catalog, API, commands and web page use these words and no others:
 *   first            there is none before it
 *   same-bytes       the payload is the same, or the server said so (304), and no delta contradicts that
 *   same-to-reader   other bytes, but nothing a reader would see: tokens, advertisements, another picture of the same thing
 *   changed          by the stored delta between the two layouts, with what it says; where nobody looked at the one before, since the last that was
 *   not-comparable   and why: one of them has no layout, another status, or was seen only in part
 * Digests alone never say that a page changed: different bytes without layouts are not comparable.
 */
export type Comparison =
  | { readonly kind: 'first' | 'same-bytes' | 'same-to-reader' }
  | {
      readonly kind: 'changed';
      /** In [0, 1]. */
      readonly importance: number;
      readonly salience?: number;
      /** What a reader would be told, in one sentence. */
      readonly why?: string;
      /** Only part of the page was compared: it may have changed more. */
      readonly partial?: true;
    }
  | { readonly kind: 'not-comparable'; readonly why: string };

export const COMPARISON_KINDS = [
  'first',
  'same-bytes',
  'same-to-reader',
  'changed',
  'not-comparable',
] as const satisfies readonly Comparison['kind'][];

/** The part of a delta that matters here. */
export interface ComparedDelta {
  readonly importance: number;
  readonly salience?: number;
  readonly why?: string;
  readonly partial?: true;
}

/** Whether a reader sees a difference. */
export const isSeen = ({
  importance,
  salience = 0,
}: Pick<ComparedDelta, 'importance' | 'salience'>): boolean => importance > 0 || salience > 0;

/** What the delta between two versions says of the later one. */
export function comparisonBy({ importance, salience, why, partial }: ComparedDelta): Comparison {
  if (isSeen({ importance, ...(salience !== undefined && { salience }) }))
    return {
      kind: 'changed',
      importance,
      ...(salience !== undefined && { salience }),
      ...(why !== undefined && why !== '' && { why }),
      ...(partial && { partial }),
    };
  // With only a part seen, nobody knows that nothing changed in the rest.
  return partial
    ? { kind: 'not-comparable', why: 'only a part of the page was seen, and nothing changed in it' }
    : { kind: 'same-to-reader' };
}
