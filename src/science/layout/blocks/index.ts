/**
 * The default segmenter: one tree of blocks, coarse at the top (header, content, sidebar, footer), fine at the
 * leaves (menu, article, list, advertisement). Two small logistic models over visual features say for each part
 * of the page whether it is one block or several; what they weigh is relative to the page, so granularity follows
 * the page and not a threshold. Linear in the nodes of the snapshot, but for one sort of siblings' gaps.
 *
 * Rejected, measured on the annotated set: the likeliest cut of the whole tree instead of top-down (no gain at
 * the coarse level, worse at the fine one); a learned model of which neighbours to join (gain on the pages
 * learned from only).
 */
import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import type { Segmenter } from '../segmenter.ts';
import { COARSE, FINE } from './coefficients.ts';
import { segmentsOf, splitParts } from './cut.ts';
import { featuresOf } from './features.ts';
import { looksOf, type PartLook } from './looks.ts';
import { type PartFacts, partFacts } from './part-facts.ts';
import { type SplitModel, splitLogOdds } from './split-model.ts';
import { type Part, type VisualTree, visualTree } from './visual-tree.ts';

export interface BlockModels {
  readonly coarse: SplitModel;
  readonly fine: SplitModel;
}

/** The segmenter with given models: the shipped ones, or those learned without some pages. */
export function blocksWith(models: BlockModels, name: string): Segmenter {
  return { name, segment: (snapshot) => segment(snapshot, models) };
}

export const blocks: Segmenter = blocksWith({ coarse: COARSE, fine: FINE }, 'blocks/1');

/** A page as the models see it. */
export interface PreparedPage {
  readonly tree: VisualTree;
  readonly facts: readonly PartFacts[];
  readonly looks: readonly PartLook[];
  /** Of `featuresOf`. */
  readonly rows: Float64Array;
}

export function preparePage(snapshot: PageSnapshot): PreparedPage {
  const tree = visualTree(snapshot);
  const facts = partFacts(tree);
  const looks = looksOf(tree);
  return { tree, facts, looks, rows: featuresOf(tree, facts, looks) };
}

/** Which parts are split in the coarse cut, and in the fine one, which divides the coarse blocks. */
export function decideSplits({ tree, rows }: PreparedPage, models: BlockModels) {
  const coarseOdds = splitLogOdds(rows, models.coarse);
  const fineOdds = splitLogOdds(rows, models.fine);
  // An overlay is one thing to the reader, whatever it holds: only the fine cut divides it.
  for (const overlay of tree.overlays) coarseOdds[overlay] = Number.NEGATIVE_INFINITY;
  const coarse = splitParts(tree.parts, coarseOdds);
  coarse.forEach((isSplit, index) => {
    if (isSplit === 1) fineOdds[index] = Number.POSITIVE_INFINITY;
  });
  return { coarse, split: splitParts(tree.parts, fineOdds), fineOdds };
}

function segment(snapshot: PageSnapshot, models: BlockModels): Segment {
  const page = preparePage(snapshot);
  const { tree, facts, looks } = page;
  const { coarse, split, fineOdds } = decideSplits(page, models);
  return segmentsOf(tree, {
    parts: tree.parts,
    facts,
    looks,
    coarse,
    split,
    doc: coherence(tree.parts, fineOdds),
  });
}

/** Degree of coherence, 1 to 11: how unlikely a split is; never below that of the block around. */
function coherence(parts: readonly Part[], fineOdds: Float64Array): Float64Array {
  const doc = new Float64Array(parts.length);
  parts.forEach(({ parent, children }, index) => {
    const keep = 1 / (1 + Math.exp(fineOdds[index] as number));
    const own = children.length === 0 ? 11 : 1 + Math.round(10 * keep);
    doc[index] = Math.max(own, parent < 0 ? 1 : (doc[parent] as number));
  });
  return doc;
}
