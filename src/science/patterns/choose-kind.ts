/**
 * Which kind of pattern suits a page is decided by its own data: each kind is fitted on two thirds of the weeks
 * and judged by the likelihood of the visits of the others, every week being held out once.
 */
import type { ChangePattern } from './change-pattern.ts';
import { shapeOf } from './change-pattern.ts';
import { fitPattern, type LearnOptions } from './learn.ts';
import type { Gap } from './observations.ts';
import {
  PATTERN_KINDS,
  type PatternKind,
  type SlotOptions,
  type SlotPlan,
  slotPlan,
  spread,
} from './slots.ts';

export interface KindChoice {
  readonly kind: PatternKind;
  /** Fitted on all gaps. */
  readonly pattern: ChangePattern;
  /** Held-out log likelihood per kind tried; nats. */
  readonly heldOut: ReadonlyMap<PatternKind, number>;
}

const WEEK = 7 * 86_400;
const FOLDS = 3;
/** Nats by which a richer kind must be better: chance alone gives one or two. */
const MARGIN = 3;

/** ln P(what the gaps saw | pattern), in nats. */
export function logLikelihood(pattern: ChangePattern, gaps: readonly Gap[]): number {
  let total = 0;
  for (const gap of gaps) {
    let expected = 0;
    spread(pattern.plan, gap.from, gap.to, (slot, hours) => {
      expected += hours * (pattern.rate[slot] as number);
    });
    // A change in a gap that should hold none is a surprise, not an impossibility.
    total += gap.changed ? Math.log(Math.max(1e-9, -Math.expm1(-expected))) : -expected;
  }
  return total;
}

/**
 * The kind whose held-out likelihood is best; `daily` where the data is too short to hold a week out. Kinds are
 * tried from simple to rich, and a richer one must be clearly better.
 */
export function chooseKind(
  gaps: readonly Gap[],
  slots: SlotOptions = {},
  learning: LearnOptions = {},
  kinds: readonly PatternKind[] = PATTERN_KINDS,
): KindChoice {
  const heldOut = new Map<PatternKind, number>();
  let best: PatternKind = kinds[0] ?? 'daily';
  const first = gaps[0]?.from ?? 0;
  const folds = (gap: Gap): number => Math.floor((gap.from - first) / WEEK) % FOLDS;
  const enough = gaps.length > 0 && (gaps[gaps.length - 1] as Gap).to - first >= FOLDS * WEEK;
  for (const kind of enough ? kinds : []) {
    const plan = slotPlan(kind, slots);
    let score = 0;
    for (let fold = 0; fold < FOLDS; fold++) {
      const rest = gaps.filter((gap) => folds(gap) !== fold);
      const held = gaps.filter((gap) => folds(gap) === fold);
      score += logLikelihood(fitKind(rest, plan, slots, learning), held);
    }
    heldOut.set(kind, score);
    if (kind !== best && score > (heldOut.get(best) ?? -Infinity) + MARGIN) best = kind;
  }
  return { kind: best, pattern: fitKind(gaps, slotPlan(best, slots), slots, learning), heldOut };
}

/**
 * Kinds with classes of days start from the page's own daily shape: a rare class borrows from the others. Those with one class
 * are fitted twice as well, the second time from the first: else the richer kinds would win by being shrunk less.
 */
export function fitKind(
  gaps: readonly Gap[],
  plan: SlotPlan,
  slots: SlotOptions,
  learning: LearnOptions,
): ChangePattern {
  const base = plan.classes === 1 ? plan : slotPlan('daily', slots);
  const first = shapeOf(fitPattern(gaps, base, fitting(learning, base)));
  const shape = Float64Array.from({ length: plan.slots }, (_, slot) => first[slot % plan.periods] as number);
  return fitPattern(gaps, plan, { ...learning, shape });
}

/** A shared shape helps only a plan of its own length. */
function fitting(learning: LearnOptions, plan: SlotPlan): LearnOptions {
  if (learning.shape === undefined || learning.shape.length === plan.slots) return learning;
  const { shape: _, ...rest } = learning;
  return rest;
}
