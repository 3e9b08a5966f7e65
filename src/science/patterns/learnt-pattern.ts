/**
 * A page's pattern, from its own visits and from what its group shares: the sums of its learner under the group's shape
 * (learn.ts: λ_h = r · (C_h + κ·shape_h) / (A_h·r + κ)). A page's sums come from its own visits alone, so they stay as
 * they are when other pages of the group are seen; only this last step is repeated.
 */
import { type ChangePattern, slotImportance } from './change-pattern.ts';
import { type LearnerSums, patternOf, resumeLearner } from './learn.ts';
import type { SlotPlan } from './slots.ts';
import { indexThreshold } from './thresholds.ts';

/** Digits stored and shown: a pattern is known no more precisely. */
const DIGITS = 6;
/** Fewer for a threshold, so that it need not be rewritten whenever another page of the group was seen. */
const THRESHOLD_DIGITS = 3;

export const rounded = (value: number, digits = DIGITS): number => Number(value.toPrecision(digits));

/** Without a group's shape, the page stands alone. */
export function learntPattern(sums: LearnerSums, plan: SlotPlan, shape?: ArrayLike<number>): ChangePattern {
  const shared = shape?.length === plan.slots ? { shape: Float64Array.from(shape) } : {};
  return patternOf(resumeLearner(plan, sums, shared));
}

/** δ(P): the mean of the pattern (§8.1). */
export const thresholdOf = (pattern: ChangePattern): number =>
  rounded(indexThreshold(slotImportance(pattern)), THRESHOLD_DIGITS);
