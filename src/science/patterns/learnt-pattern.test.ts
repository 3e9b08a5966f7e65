import { describe, expect, it } from 'vitest';
import { sumsOf } from './follow-page.ts';
import { fitLearner, patternOf, resumeLearner } from './learn.ts';
import { learntPattern, thresholdOf } from './learnt-pattern.ts';
import type { Gap } from './observations.ts';
import { slotPlan } from './slots.ts';

const plan = slotPlan('daily');
/** A change in every morning hour, for a week, seen hourly. */
const gaps: Gap[] = Array.from({ length: 7 * 24 }, (_, hour) => {
  const changed = hour % 24 >= 6 && hour % 24 < 12;
  return { from: hour * 3600, to: (hour + 1) * 3600, changed, importance: changed ? 0.5 : 0 };
});

describe('learntPattern', () => {
  it('the sums of a learner under the shape it had => its own pattern', () => {
    const learner = fitLearner(gaps, plan);
    const again = learntPattern(sumsOf(learner), plan);
    const exact = patternOf(learner);
    expect(again).toEqual({ ...exact, plan });
  });

  it('a page that never changed => the shape of its group; one that did keeps its own', () => {
    const evening = Array.from({ length: 24 }, (_, hour) => (hour >= 18 ? 3.4 : 0.2));
    const quiet = sumsOf(fitLearner([{ from: 0, to: 86_400, changed: false, importance: 0 }], plan));
    const shared = learntPattern(quiet, plan, evening);
    expect((shared.rate[20] as number) / (shared.rate[8] as number)).toBeCloseTo(17, 0);
    const own = learntPattern(sumsOf(fitLearner(gaps, plan)), plan, evening);
    expect(own.rate[8]).toBeGreaterThan(own.rate[20] as number);
  });

  it('a shape of another kind => left aside; sums of another kind => refused', () => {
    const sums = sumsOf(fitLearner(gaps, plan));
    expect(learntPattern(sums, plan, [1, 2])).toEqual(learntPattern(sums, plan));
    expect(() => resumeLearner(slotPlan('weekly'), sums)).toThrow('sums of 7 slots');
  });

  it('threshold => the mean of ω_k, so that a livelier page asks for more', () => {
    const lively = thresholdOf(learntPattern(sumsOf(fitLearner(gaps, plan)), plan));
    const quiet = gaps.map((gap) => ({ ...gap, changed: false, importance: 0 }));
    expect(thresholdOf(learntPattern(sumsOf(fitLearner(quiet, plan)), plan))).toBeLessThan(lively / 10);
    expect(lively).toBeGreaterThan(0.05);
    expect(lively).toBeLessThan(0.25);
  });
});
