import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import type { Weigh } from '../layout-of.ts';
import type { LeafContent } from '../leaf-content.ts';
import { blockFeatures } from './block-features.ts';
import { BLOCK_IMPORTANCE_MODEL } from './coefficients.generated.ts';
import { type LogisticModel, probabilities } from './logistic.ts';
import { type ManualWeight, manualFactors } from './manual-weights.ts';

/**
 * I(B): how much of a page's importance each leaf block has. The level comes from the model of Song, Liu, Wen, Ma (WWW
 * 2004), the size from what a reader sees of the block; history and manual weights are as in Pehlivan et al. 2009 §6
 * and Ben Saad et al. 2012 §7.2. The weights need not add up to 1: layoutOf makes shares of them.
 *
 *   I(B) ∝ Σ_k P(level k | B) · w_k · (areaShare + textShare) / 2 · history · manual
 *
 * Size counts because a level says how much a look at the block is worth, not how much there is to look at: a page cut
 * into ten small articles and one cut into one large article then have about equal importance in articles.
 */

/** w_k: what a change of the whole block is worth at levels 1 (noise) to 4 (main content). */
const LEVEL_WEIGHTS: readonly number[] = [0.02, 0.15, 0.4, 1];

export interface ImportanceOptions {
  readonly model?: LogisticModel | undefined;
  readonly manual?: readonly ManualWeight[] | undefined;
  /** Share of visits at which each leaf had changed, in the order of the leaves; undefined where unknown. */
  readonly changeShares?: readonly (number | undefined)[] | undefined;
}

export function weighByModel(options: ImportanceOptions = {}): Weigh {
  return (snapshot, leaves) => {
    const expected = expectedWeights(snapshot, leaves, options.model ?? BLOCK_IMPORTANCE_MODEL);
    const sizes = contentShares(leaves);
    const factors = manualFactors(snapshot, leaves, options.manual ?? []);
    const weights = expected.map((weight, i) => weight * (sizes[i] as number) * (factors[i] as number));
    return options.changeShares ? withHistory(weights, options.changeShares) : weights;
  };
}

/** P(level | B) for each leaf, levels 1 to 4. */
export function levelProbabilities(
  snapshot: PageSnapshot,
  leaves: readonly LeafContent[],
  model: LogisticModel = BLOCK_IMPORTANCE_MODEL,
): number[][] {
  const rows = blockFeatures(
    snapshot,
    leaves.map((leaf) => leaf.segment),
  );
  return rows.map((row) => probabilities(model, row));
}

function expectedWeights(
  snapshot: PageSnapshot,
  leaves: readonly LeafContent[],
  model: LogisticModel,
): number[] {
  return levelProbabilities(snapshot, leaves, model).map((levels) =>
    levels.reduce((sum, p, k) => sum + p * (LEVEL_WEIGHTS[k] as number), 0),
  );
}

/** Mean of a leaf's share of the area and its share of the characters of all leaves, link names included. */
function contentShares(leaves: readonly LeafContent[]): number[] {
  const areas = leaves.map(({ segment: { box } }) => Math.max(0, box[2]) * Math.max(0, box[3]));
  const lengths = leaves.map(
    ({ texts, links }) =>
      texts.reduce((sum, { text }) => sum + text.length, 0) +
      links.reduce((sum, { name }) => sum + name.length, 0),
  );
  const area = areas.reduce((a, b) => a + b, 0);
  const length = lengths.reduce((a, b) => a + b, 0);
  return leaves.map((_, i) => share(areas[i] as number, area) / 2 + share(lengths[i] as number, length) / 2);
}

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** The largest share of its weight that a block can lose because of its history. */
const HISTORY_LOSS = 0.9;

/**
 * "The more frequent a block is changing, the less important it is" (Pehlivan et al. 2009 §6). The fourth power spares
 * blocks that change now and then (0.5 → 0.94) and lowers those that change at almost every visit (0.9 → 0.41, 1 →
 * 0.1): clocks, counters, rotating advertisements.
 */
export const historyFactor = (changeShare: number | undefined): number =>
  changeShare === undefined || Number.isNaN(changeShare)
    ? 1
    : 1 - HISTORY_LOSS * Math.min(1, Math.max(0, changeShare)) ** 4;

/** Applies the blocks' history to their weights; `shares` are in the order of the weights. */
export function withHistory(
  weights: readonly number[],
  changeShares: readonly (number | undefined)[],
): number[] {
  return weights.map((weight, i) => weight * historyFactor(changeShares[i]));
}
