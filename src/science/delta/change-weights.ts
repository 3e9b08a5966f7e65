import type { BlockUpdate, ElementKind, OperationName } from '../../model/delta.ts';

/** Every constant of change importance; all in [0, 1]. */
export interface ChangeWeights {
  /** I(op), on elements and on whole blocks. */
  readonly operations: Readonly<Record<OperationName, number>>;
  /** I(el). */
  readonly elements: Readonly<Record<ElementKind, number>>;
  /** α: the factor for an operation on an advertisement. */
  readonly advertisement: number;
  /** Whether an updated text counts by its distance from the old one, or in full (as in IWAW 2009 §6). */
  readonly updatedText: 'distance' | 'full';
  /** The same for a link with the same address under another name: counts and times are often inside links. */
  readonly renamedLink: 'distance' | 'full';
  /** Updates of blocks: the weight of each element in the block that has no operation of its own. */
  readonly structure: Readonly<Record<BlockUpdate['structure'], number>>;
  /** Factor for each level that a page is deeper in its site (IWAW 2009 §6); at 1, depth does not count. */
  readonly perDepth: number;
  /** How the kinds of elements in a block are combined: see change-importance.ts. */
  readonly normalise: Normalise;
}

type Normalise = 'mean' | 'sum';

export const CHANGE_WEIGHTS: ChangeWeights = {
  operations: { insert: 1, delete: 0.8, update: 1, move: 0.25 },
  elements: { link: 1, image: 1, text: 1 },
  advertisement: 0.1,
  updatedText: 'distance',
  renamedLink: 'distance',
  // To a reader a split is like a move; a wider column is nothing to read.
  structure: { split: 0.25, merge: 0.25, frame: 0 },
  perDepth: 1,
  normalise: 'mean',
};
