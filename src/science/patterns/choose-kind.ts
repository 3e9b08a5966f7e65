/**
 * Which kind of pattern suits a page is decided by its own data: each kind is fitted on two thirds of the weeks and
 * judged by the likelihood of the visits in the rest, so that every week is held out once.
 */
import type { ChangePattern } from './change-pattern.ts';
import { shapeOf } from './change-pattern.ts';
import {
  fitSpread,
  type LearnOptions,
  type PatternLearner,
  patternOf,
  type SpreadGap,
  spreadGaps,
} from './learn.ts';
import type { Gap } from './observations.ts';
import { PATTERN_KINDS, type PatternKind, type SlotOptions, type SlotPlan, slotPlan } from './slots.ts';

export interface KindChoice {
  readonly kind: PatternKind;
  /** Fitted on all gaps. */
  readonly pattern: ChangePattern;
  readonly learner: PatternLearner;
  /** Held-out log likelihood of each kind tried, in nats. */
  readonly heldOut: ReadonlyMap<PatternKind, number>;
}

const WEEK = 7 * 86_400;
const FOLDS = 3;
/** Nats by which a richer kind must be better: chance alone gives one or two. */
const MARGIN = 3;

/** ln P(changes seen in the gaps | pattern), in nats. */
export const logLikelihood = (pattern: ChangePattern, gaps: readonly Gap[]): number =>
  likelihoodOf(pattern.rate, spreadGaps(gaps, pattern.plan));

function likelihoodOf(rate: Float64Array, spreads: readonly SpreadGap[]): number {
  let total = 0;
  for (const { gap, parts } of spreads) {
    let expected = 0;
    for (let part = 0; part < parts.slots.length; part++) {
      expected += (parts.hours[part] as number) * (rate[parts.slots[part] as number] as number);
    }
    // A change in a gap where none was expected is surprising, not impossible.
    total += gap.changed ? Math.log(Math.max(1e-9, -Math.expm1(-expected))) : -expected;
  }
  return total;
}

/**
 * The kind with the best held-out likelihood; `daily` where the data is too short to hold out a week. Kinds are tried
 * from simple to rich, and a richer one must be clearly better.
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
  const enough = gaps.length > 0 && (gaps[gaps.length - 1] as Gap).to - first >= FOLDS * WEEK;
  const foldOf = gaps.map((gap) => Math.floor((gap.from - first) / WEEK) % FOLDS);
  const daily = slotPlan('daily', slots);
  const byDay = spreadGaps(enough ? gaps : [], daily);
  for (const kind of enough ? kinds : []) {
    const plan = slotPlan(kind, slots);
    const spreads = kind === 'daily' ? byDay : spreadGaps(gaps, plan);
    const base = plan.classes === 1 ? { plan, spreads } : { plan: daily, spreads: byDay };
    let score = 0;
    for (let fold = 0; fold < FOLDS; fold++) {
      const rest = <T>(_: T, index: number): boolean => foldOf[index] !== fold;
      const held = <T>(_: T, index: number): boolean => foldOf[index] === fold;
      const learner = fitTwice(
        { plan, spreads: spreads.filter(rest) },
        { plan: base.plan, spreads: base.spreads.filter(rest) },
        learning,
      );
      score += likelihoodOf(learner.rate, spreads.filter(held));
    }
    heldOut.set(kind, score);
    if (kind !== best && score > (heldOut.get(best) ?? -Infinity) + MARGIN) best = kind;
  }
  const learner = fitKindLearner(gaps, slotPlan(best, slots), slots, learning);
  return { kind: best, pattern: patternOf(learner), learner, heldOut };
}

interface Spread {
  readonly plan: SlotPlan;
  readonly spreads: readonly SpreadGap[];
}

/**
 * Kinds with classes of days start from the page's own daily shape: a rare class borrows from the others. Kinds with one class
 * are fitted twice too, the second time starting from the first: otherwise the richer kinds would win by being shrunk less.
 */
export function fitKindLearner(
  gaps: readonly Gap[],
  plan: SlotPlan,
  slots: SlotOptions,
  learning: LearnOptions,
): PatternLearner {
  const own = { plan, spreads: spreadGaps(gaps, plan) };
  if (plan.classes === 1) return fitTwice(own, own, learning);
  const daily = slotPlan('daily', slots);
  return fitTwice(own, { plan: daily, spreads: spreadGaps(gaps, daily) }, learning);
}

function fitTwice(own: Spread, base: Spread, learning: LearnOptions): PatternLearner {
  const { plan } = own;
  const first = shapeOf(patternOf(fitSpread(base.spreads, base.plan, fitting(learning, base.plan))));
  const shape = Float64Array.from({ length: plan.slots }, (_, slot) => first[slot % plan.periods] as number);
  return fitSpread(own.spreads, plan, { ...learning, shape });
}

export const fitKind = (...args: Parameters<typeof fitKindLearner>): ChangePattern =>
  patternOf(fitKindLearner(...args));

/** A shared shape helps only a plan of its own length. */
function fitting(learning: LearnOptions, plan: SlotPlan): LearnOptions {
  if (learning.shape === undefined || learning.shape.length === plan.slots) return learning;
  const { shape: _, ...rest } = learning;
  return rest;
}
