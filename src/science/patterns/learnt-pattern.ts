/**
 * What a page's own visits taught, read together with what its group shares: the sums of its learner under the
 * group's shape (learn.ts: λ_h = r · (C_h + κ·shape_h) / (A_h·r + κ)). The sums of a page are of its own visits alone,
 * so that they stay as they are when others of the group are seen; only this last step is taken again.
 */
import { type ChangePattern, slotImportance } from './change-pattern.ts';
import { type LearnerSums, patternOf, resumeLearner } from './learn.ts';
import type { SlotPlan } from './slots.ts';
import { indexThreshold } from './thresholds.ts';

/** Digits that are kept and shown: a pattern is not known better. */
const DIGITS = 6;
/** Of a threshold fewer, so that it need not be written anew whenever another page of the group was seen. */
const THRESHOLD_DIGITS = 3;

export const rounded = (value: number, digits = DIGITS): number => Number(value.toPrecision(digits));

/** Without a shape of a group the page stands alone. */
export function learntPattern(sums: LearnerSums, plan: SlotPlan, shape?: ArrayLike<number>): ChangePattern {
  const shared = shape?.length === plan.slots ? { shape: Float64Array.from(shape) } : {};
  return patternOf(resumeLearner(plan, sums, shared));
}

/** δ(P): the mean of the pattern (§8.1). */
export const thresholdOf = (pattern: ChangePattern): number =>
  rounded(indexThreshold(slotImportance(pattern)), THRESHOLD_DIGITS);
