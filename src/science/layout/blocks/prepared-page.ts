import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { featuresOf } from './features.ts';
import { looksOf, type PartLook } from './looks.ts';
import { type PartFacts, partFacts } from './part-facts.ts';
import { type VisualTree, visualTree } from './visual-tree.ts';

/** A page as the models see it. */
export interface PreparedPage {
  readonly tree: VisualTree;
  readonly facts: readonly PartFacts[];
  readonly looks: readonly PartLook[];
  /** From `featuresOf`. */
  readonly rows: Float64Array;
}

/** Log-odds that each part is split in the coarse cut, and in the fine one. */
export interface PartOdds {
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

export function preparePage(snapshot: PageSnapshot): PreparedPage {
  const tree = visualTree(snapshot);
  const facts = partFacts(tree);
  const looks = looksOf(tree);
  return { tree, facts, looks, rows: featuresOf(tree, facts, looks) };
}
