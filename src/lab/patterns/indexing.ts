/**
 * What Algorithm 4 saves and costs: share of versions indexed against share of importance kept, compared with indexing
 * all, indexing every n-th, and the limit: as many versions of each page as Algorithm 4 takes, but the heaviest.
 *
 * Thresholds are learned before the versions appear.
 *
 * A version counts by its own change, as in Def. 3, so importance accumulated before it is lost from the measure. The
 * given importance is against the previous version, not the last one stored: the sum stands in for that.
 */

import type { Seconds } from '../../model/time.ts';
import { paperPattern, timeSeries } from '../../science/patterns/series.ts';
import type { SlotPlan } from '../../science/patterns/slots.ts';
import { decide, indexThreshold, newKeeper } from '../../science/patterns/thresholds.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import type { GapsOfPage } from './watched-pages.ts';

export interface IndexedHistory {
  readonly name: string;
  /** ω_k, learned before the versions appeared. */
  readonly pattern: ArrayLike<number>;
  /** In order of time. */
  readonly versions: readonly PageVersion[];
}

/** Shares in [0, 1]. */
export interface Kept {
  /** Share of all importance. */
  readonly pooled: number;
  /** Mean over pages of the share of each page's own importance. */
  readonly perPage: number;
}

export interface IndexingRow {
  /** Multiplies every threshold; 0 indexes every version that changed anything. */
  readonly factor: number;
  /** Share of all versions. */
  readonly versions: number;
  readonly kept: Kept;
  /** With the same share of the versions, taken evenly. */
  readonly everyNth: Kept;
  /** With as many versions of each page, the heaviest. */
  readonly limit: Kept;
}

/** Patterns of what was seen up to a moment, and the versions after it. */
export const learnedBefore = (
  pages: readonly GapsOfPage[],
  moment: Seconds,
  plan: SlotPlan,
): readonly (IndexedHistory & { readonly pattern: Float64Array })[] =>
  pages.map(({ name, gaps, versions }) => {
    const before = gaps.filter(({ to }) => to <= moment);
    return {
      name,
      pattern: paperPattern(timeSeries(before, plan), plan.slots).importance,
      versions: versions.filter(({ time }) => time > moment),
    };
  });

const FACTORS = [0, 0.5, 1, 2, 4, 8, 16] as const;

export function indexingTrade(
  pages: readonly IndexedHistory[],
  factors: readonly number[] = FACTORS,
): readonly IndexingRow[] {
  const lists = pages.map(({ versions }) => versions.map(({ importance }) => importance));
  return factors.map((factor) => {
    const chosen = pages.map((page, index) => algorithm4(page, lists[index] as number[], factor));
    const taken = total(chosen.map(({ length }) => length));
    const share = taken / Math.max(1, total(lists.map(({ length }) => length)));
    return {
      factor,
      versions: share,
      kept: keptOf(chosen, lists),
      everyNth: keptOf(
        lists.map((list) => evenly(list, share)),
        lists,
      ),
      limit: keptOf(
        lists.map((list, index) =>
          list.toSorted((a, b) => b - a).slice(0, (chosen[index] as number[]).length),
        ),
        lists,
      ),
    };
  });
}

function algorithm4({ pattern }: IndexedHistory, importances: readonly number[], factor: number): number[] {
  let keeper = newKeeper(indexThreshold(pattern) * factor);
  return importances.filter((importance) => {
    const { keep, next } = decide(keeper, importance);
    keeper = next;
    return keep;
  });
}

/** Version i is taken if the share times the versions up to and including it passes a whole number. */
const evenly = (importances: readonly number[], share: number): number[] =>
  importances.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));

function keptOf(chosen: readonly (readonly number[])[], all: readonly (readonly number[])[]): Kept {
  const sums = all.map(total);
  const parts = chosen.map(total);
  const weighty = sums.flatMap((sum, i) => (sum > 0 ? [(parts[i] as number) / sum] : []));
  return {
    pooled: total(parts) / Math.max(Number.MIN_VALUE, total(sums)),
    perPage: total(weighty) / Math.max(1, weighty.length),
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
