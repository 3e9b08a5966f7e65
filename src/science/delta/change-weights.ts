import type { BlockUpdate, ElementKind, OperationName } from '../../model/delta.ts';

/** Every constant of change importance; all in [0, 1]. */
export interface ChangeWeights {
  /** I(op), on elements and on whole blocks. */
  readonly operations: Readonly<Record<OperationName, number>>;
  /** I(el). */
  readonly elements: Readonly<Record<ElementKind, number>>;
  /** α: what is left of an operation on an advertisement. */
  readonly advertisement: number;
  /** Whether an updated text counts by how far it went from the old one, or in full (as IWAW 2009 §6 has it). */
  readonly updatedText: 'distance' | 'full';
  /** The same for a link that leads where it led under another name: counts and times stand inside of links. */
  readonly renamedLink: 'distance' | 'full';
  /** Updates of blocks: what each element of the block counts that has no operation of its own. */
  readonly structure: Readonly<Record<BlockUpdate['structure'], number>>;
  /** What is left for each step that a page lies deeper in its site (IWAW 2009 §6); 1: depth does not count. */
  readonly perDepth: number;
  /** How the kinds of elements in a block come together: see change-importance.ts. */
  readonly normalise: Normalise;
}

type Normalise = 'mean' | 'sum';

export const CHANGE_WEIGHTS: ChangeWeights = {
  operations: { insert: 1, delete: 0.8, update: 1, move: 0.25 },
  elements: { link: 1, image: 1, text: 1 },
  advertisement: 0.1,
  updatedText: 'distance',
  renamedLink: 'distance',
  // A split is to readers what a move is; a wider column is nothing to read.
  structure: { split: 0.25, merge: 0.25, frame: 0 },
  perDepth: 1,
  normalise: 'mean',
};
