/** Decides each part of a page: by the models, or along the cut of the page's last version. */
import { splitParts } from './cut.ts';
import { joinsOf } from './joins.ts';
import type { CutDecisions, Memory } from './memory.ts';
import type { PartOdds, PreparedPage } from './prepared-page.ts';
import { type Recall, recall } from './recall.ts';
import { type SplitModel, splitLogOdds } from './split-model.ts';
import type { VisualPart } from './visual-tree.ts';

export interface BlockModels {
  readonly coarse: SplitModel;
  readonly fine: SplitModel;
}

/**
 * A page is cut afresh when the models regret the remembered cut by more than this (see `Recall.regret`), unless all of
 * its parts are as they were: a page where only words changed keeps its cut.
 */
export const MARGIN = 1.5;

export interface DecidedPage {
  readonly decisions: CutDecisions;
  readonly odds: PartOdds;
  /** What memory said, where the page was cut along it. */
  readonly recalled?: Recall;
}

/** Log-odds from the models. An overlay is one thing to the reader, whatever it holds: only the fine cut divides it. */
export function oddsOf({ tree, rows }: PreparedPage, models: BlockModels): PartOdds {
  const coarse = splitLogOdds(rows, models.coarse);
  for (const overlay of tree.overlays) coarse[overlay] = Number.NEGATIVE_INFINITY;
  return { coarse, fine: splitLogOdds(rows, models.fine) };
}

/** Which parts are split in the coarse cut, and in the fine one, which divides the coarse blocks. */
export function decideSplits(
  { tree }: PreparedPage,
  odds: PartOdds,
): { coarse: Uint8Array; split: Uint8Array } {
  const coarse = splitParts(tree.parts, odds.coarse);
  const fine = odds.fine.map((value, index) => (coarse[index] === 1 ? Number.POSITIVE_INFINITY : value));
  return { coarse, split: splitParts(tree.parts, fine) };
}

export function decide(page: PreparedPage, models: BlockModels, memory: Memory | undefined): DecidedPage {
  const odds = oddsOf(page, models);
  if (memory) {
    const recalled = recall(page, odds, memory);
    if (recalled.sameParts || recalled.regret <= MARGIN) {
      const { coarse, split, joined } = recalled;
      const doc = coherence(page.tree.parts, odds.fine, coarse, recalled.doc);
      return { decisions: { coarse, split, joined, doc }, odds, recalled };
    }
  }
  const splits = decideSplits(page, odds);
  const doc = coherence(page.tree.parts, odds.fine, splits.coarse);
  return { decisions: { ...splits, joined: joinsOf(page, splits.split), doc }, odds };
}

/** Degree of coherence, 1 to 11: how unlikely a split is, or was; never below that of the surrounding block. */
function coherence(
  parts: readonly VisualPart[],
  fineOdds: Float64Array,
  coarse: Uint8Array,
  remembered?: Float64Array,
): Float64Array {
  const doc = new Float64Array(parts.length);
  parts.forEach(({ parent, children }, index) => {
    const keep = coarse[index] === 1 ? 0 : 1 / (1 + Math.exp(fineOdds[index] as number));
    const own = children.length === 0 ? 11 : 1 + Math.round(10 * keep);
    doc[index] = Math.max(remembered?.[index] || own, parent < 0 ? 1 : (doc[parent] as number));
  });
  return doc;
}
