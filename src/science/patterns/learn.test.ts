import { expect, test } from 'vitest';
import { stream } from '../../lab/newspaper/random.ts';
import { confidence, meanImportance, meanRate, slotImportance } from './change-pattern.ts';
import { chooseKind, logLikelihood } from './choose-kind.ts';
import { fitLearner, learn, newLearner, patternOf } from './learn.ts';
import type { Gap } from './observations.ts';
import { isWeekend, slotPlan } from './slots.ts';

const plan = slotPlan('daily');
const START = 1_640_995_200;

/** Visits at irregular times to a page whose rate is given by local hour and day. */
function watch(
  rate: (hour: number, day: number) => number,
  days: number,
  meanGap: number,
  seed: number,
): Gap[] {
  const random = stream(seed, 'watch');
  const gaps: Gap[] = [];
  for (let from = START; from < START + days * 86_400; ) {
    const to = from + Math.max(600, random.delay(meanGap));
    let stays = 1;
    for (let t = from; t < to; t += 600) {
      const hour = Math.floor((t % 86_400) / 3600);
      stays *= Math.exp((-rate(hour, Math.floor(t / 86_400)) * Math.min(600, to - t)) / 3600);
    }
    const changed = !random.chance(stays);
    gaps.push({ from, to, changed, importance: changed ? 0.3 : 0 });
    from = to;
  }
  return gaps;
}

const office = (hour: number): number => (hour >= 8 && hour < 18 ? 0.4 : 0.02);

const fitPattern = (...given: Parameters<typeof fitLearner>) => patternOf(fitLearner(...given));

test('irregular visits every 5 hours => the office hours are found', () => {
  const pattern = fitPattern(watch(office, 400, 5 * 3600, 1), plan, { halfLife: 1e6 });
  const day = (pattern.rate[11] as number) + (pattern.rate[14] as number);
  const night = (pattern.rate[1] as number) + (pattern.rate[3] as number);
  expect(day / 2).toBeGreaterThan(0.25);
  expect(day / 2).toBeLessThan(0.55);
  expect(night / 2).toBeLessThan(0.08);
  expect(meanRate(pattern)).toBeGreaterThan(0.14);
  expect(meanRate(pattern)).toBeLessThan(0.22);
});

test('online, visit by visit => close to the fit of the whole', () => {
  const gaps = watch(office, 200, 3 * 3600, 2);
  const learner = newLearner(plan, { halfLife: 1e6 });
  for (const gap of gaps) learn(learner, gap);
  const whole = fitPattern(gaps, plan, { halfLife: 1e6 });
  expect(meanRate(patternOf(learner)) / meanRate(whole)).toBeGreaterThan(0.85);
  expect(meanRate(patternOf(learner)) / meanRate(whole)).toBeLessThan(1.15);
  expect(logLikelihood(patternOf(learner), gaps)).toBeGreaterThan(
    logLikelihood(whole, gaps) - 0.02 * gaps.length,
  );
});

test('a page that turns from busy to silent => the rate follows within a few half-lives', () => {
  const learner = newLearner(plan, { halfLife: 5 });
  for (const gap of watch(() => 0.5, 30, 7200, 3)) learn(learner, gap);
  const before = meanRate(patternOf(learner));
  for (const gap of watch(() => 0, 30, 7200, 4)) {
    learn(learner, { ...gap, from: gap.from + 30 * 86_400, to: gap.to + 30 * 86_400 });
  }
  expect(before).toBeGreaterThan(0.35);
  expect(meanRate(patternOf(learner))).toBeLessThan(0.05);
});

test('nothing seen => the prior, with no confidence; more seen => more of it', () => {
  const empty = patternOf(newLearner(plan, { rate: 0.1 }));
  expect(meanRate(empty)).toBeCloseTo(0.1, 10);
  expect(confidence(empty)).toBe(0);
  const some = fitPattern(watch(office, 10, 3600, 5), plan);
  const more = fitPattern(watch(office, 60, 3600, 5), plan);
  expect(confidence(some)).toBeGreaterThan(0);
  expect(confidence(more)).toBeGreaterThan(confidence(some));
  expect(confidence(more)).toBeLessThan(1);
});

test('a page that always changed, one that never did => rates within bounds, no NaN', () => {
  const gaps = watch(() => 0, 20, 3600, 6);
  const never = fitPattern(gaps, plan);
  const always = fitPattern(
    gaps.map((gap) => ({ ...gap, changed: true, importance: 1 })),
    plan,
  );
  expect(meanRate(never)).toBeLessThan(0.005);
  expect(meanRate(always)).toBeGreaterThan(1);
  for (const pattern of [never, always]) {
    for (const values of [pattern.rate, pattern.importance, slotImportance(pattern)]) {
      for (const value of values) expect(Number.isFinite(value)).toBe(true);
    }
  }
  expect(meanImportance(always)).toBeGreaterThan(0.3);
});

test('one change seen after a long gap => its importance is shared by the changes expected in it', () => {
  const long: Gap = { from: START, to: START + 10 * 86_400, changed: true, importance: 0.9 };
  const learner = newLearner(plan, { rate: 0.2, importanceStrength: 0.01 });
  learn(learner, long);
  expect(meanImportance(patternOf(learner))).toBeLessThan(0.3);
});

test('a page that rests at weekends => workday-weekend, one that does not => daily', () => {
  const resting = watch((hour, day) => (isWeekend(day) ? 0.01 : office(hour)), 84, 5400, 7);
  expect(chooseKind(resting, {}, {}, ['daily', 'workday-weekend']).kind).toBe('workday-weekend');
  expect(
    chooseKind(watch(office, 84, 5400, 8), {}, {}, ['daily', 'workday-weekend', 'day-of-week']).kind,
  ).toBe('daily');
});

test('too short a history => the first kind, nothing held out', () => {
  const choice = chooseKind(watch(office, 5, 3600, 9));
  expect(choice.kind).toBe('daily');
  expect(choice.heldOut.size).toBe(0);
  expect(chooseKind([]).pattern.evidence).toBe(0);
});

test('a shape of another length => refused', () => {
  expect(() => fitLearner([], plan, { shape: new Float64Array(7) })).toThrow(/24 slots/);
});
