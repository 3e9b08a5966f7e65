/**
 * The cut of a page whose boxes are known only about, or nothing where it hangs on them. Each decision of the default
 * segmenter compares a number with a threshold; it is trusted if the number stands clear of the threshold, by
 * a multiple of how far it has moved since the boxes were known. What has not moved may stand close.
 *
 * Rejected: fixed margins (pages have decisions that stand at a threshold for good, and were always refused), and
 * cutting the page again with its changes overdone and underdone (a page with thirty changed headlines is then bent by
 * thirty lines, which never happens; a block just below a threshold passes).
 */
import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { COARSE, FINE } from '../blocks/coefficients.ts';
import { segmentsOf } from '../blocks/cut.ts';
import { gapBetween } from '../blocks/gaps.ts';
import { decideSplits, preparePage } from '../blocks/index.ts';
import { joinLimits, type Splits } from '../blocks/joins.ts';
import { area, type PartFacts } from '../blocks/part-facts.ts';
import { splitLogOdds } from '../blocks/split-model.ts';

/** How far a part is from being decided otherwise: 0 is the threshold. Absent where nothing is decided by it. */
export interface Leaning {
  /** First and last of the snapshot nodes that make up the part. */
  readonly first: number;
  readonly last: number;
  /** Log-odds of being split. */
  readonly coarse?: number;
  readonly fine?: number;
  /** Area over that of a small part, less 1. */
  readonly size?: number;
  /** Distance from the part before over a close distance, less 1. */
  readonly gap?: number;
}

export interface DecidedCut {
  readonly segment: Segment;
  readonly leanings: readonly Leaning[];
}

export function decidedCut(snapshot: PageSnapshot): DecidedCut {
  const page = preparePage(snapshot);
  const { tree, facts, looks, rows } = page;
  const { coarse, split } = decideSplits(page, { coarse: COARSE, fine: FINE });
  const splits: Splits = { parts: tree.parts, facts, looks, split };
  const coarseOdds = splitLogOdds(rows, COARSE);
  const fineOdds = splitLogOdds(rows, FINE);
  const overlays = new Set(tree.overlays);
  const { small, close } = joinLimits(facts);
  /** Children of a part stand one after the other in the tree. */
  const besideOf = (index: number, parent: number): number =>
    parent >= 0 && tree.parts[index]?.parent === parent ? index : -1;
  const mayJoin = (index: number): boolean => split[index] === 0 && looks[index]?.drawn === false;
  const nearness = (a: number, b: number): number =>
    gapBetween(facts[a] as PartFacts, facts[b] as PartFacts) / close - 1;
  const leanings: Leaning[] = [];
  tree.parts.forEach(({ parent, children, nodes }, index) => {
    if (parent >= 0 && split[parent] !== 1) return;
    const decides = children.length > 0;
    const decidesCoarse = decides && !overlays.has(index) && (parent < 0 || coarse[parent] === 1);
    const before = besideOf(index - 1, parent);
    const after = besideOf(index + 1, parent);
    const joins = mayJoin(index) && (mayJoin(before) || mayJoin(after));
    leanings.push({
      first: nodes[0] as number,
      last: nodes.at(-1) as number,
      ...(decidesCoarse && { coarse: coarseOdds[index] as number }),
      ...(decides && coarse[index] !== 1 && { fine: fineOdds[index] as number }),
      ...(joins && { size: area(facts[index] as PartFacts) / small - 1 }),
      ...(joins && mayJoin(before) && { gap: nearness(before, index) }),
    });
  });
  const doc = new Float64Array(tree.parts.length);
  return { segment: segmentsOf(tree, { ...splits, coarse, doc }), leanings };
}

export const LEANS = ['coarse', 'fine', 'size', 'gap'] as const;
type Margins = Readonly<Record<(typeof LEANS)[number], number>>;

/** The least distance from the threshold: in parts without a change, with one, and in parts that were not there. */
const STILL: Margins = { coarse: 0.005, fine: 0.005, size: 0.003, gap: 0.003 };
const CHANGED: Margins = { coarse: 0.05, fine: 0.05, size: 0.05, gap: 0.0075 };
const UNKNOWN: Margins = { coarse: 0.3, fine: 0.3, size: 0.15, gap: 0.3 };
/** Movements are estimates: how many times as far the true one may be, towards the threshold and away from it. */
const DOUBT = { towards: 2.5, away: 1.2 };

export function isSteady(now: Leaning, before: Leaning | undefined, changed: boolean): boolean {
  const margins = before ? (changed ? CHANGED : STILL) : UNKNOWN;
  return LEANS.every((lean) => {
    const value = now[lean];
    if (value === undefined) return true;
    const old = before?.[lean];
    if (old === undefined) return Math.abs(value) > UNKNOWN[lean];
    const doubt = Math.abs(value) > Math.abs(old) ? DOUBT.away : DOUBT.towards;
    return value * old > 0 && Math.abs(value) > margins[lean] + doubt * Math.abs(value - old);
  });
}
