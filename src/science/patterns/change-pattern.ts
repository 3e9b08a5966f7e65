/**
 * A pattern as the crawler uses it: how often a page changes in each slot, and how much a change there matters. The
 * paper's ω_k is their product (`slotImportance`); kept separate, they also show what is lost between visits.
 */
import type { SlotPlan } from './slots.ts';

export interface ChangePattern {
  readonly plan: SlotPlan;
  /** λ_h: expected changes per hour, per slot. */
  readonly rate: Float64Array;
  /** e_h: mean importance of a change, per slot, in [0, 1]. */
  readonly importance: Float64Array;
  /** Hours observed per slot, older ones decayed. */
  readonly exposure: Float64Array;
  /** Changes seen, older ones decayed; at most one per gap. */
  readonly evidence: number;
}

/** Changes per hour over all time, each slot weighted by its share. */
export function meanRate(pattern: ChangePattern): number {
  let rate = 0;
  for (let slot = 0; slot < pattern.plan.slots; slot++) {
    rate += (pattern.rate[slot] as number) * (pattern.plan.share[slot] as number);
  }
  return rate;
}

/** Mean importance of a change, each slot weighted by the number of changes in it. */
export function meanImportance(pattern: ChangePattern): number {
  let sum = 0;
  let changes = 0;
  for (let slot = 0; slot < pattern.plan.slots; slot++) {
    const expected = (pattern.rate[slot] as number) * (pattern.plan.share[slot] as number);
    sum += expected * (pattern.importance[slot] as number);
    changes += expected;
  }
  return changes > 0 ? sum / changes : 0;
}

/** ω_k of Def. 5: expected importance of the change between the two ends of the period. */
export function slotImportance(pattern: ChangePattern): Float64Array {
  const hours = pattern.plan.period / 3600;
  return pattern.rate.map(
    (rate, slot) => (1 - Math.exp(-rate * hours)) * (pattern.importance[slot] as number),
  );
}

/**
 * How well the pattern is known, in [0, 1): the share of it that comes from this page and not from its prior. 0 before
 * any change is seen, 0.5 at `prior` changes.
 */
export const confidence = (pattern: ChangePattern, prior = 8): number =>
  pattern.evidence / (pattern.evidence + prior);

/** The rates of a pattern relative to their mean: what pages of one group share. */
export function shapeOf(pattern: ChangePattern): Float64Array {
  const mean = meanRate(pattern);
  return mean > 0 ? pattern.rate.map((rate) => rate / mean) : flatShape(pattern.plan);
}

export const flatShape = (plan: SlotPlan): Float64Array => new Float64Array(plan.slots).fill(1);
