/** One conformance suite for every refresh policy, and what is specific to some. */
import { describe, expect, test } from 'vitest';
import { slotPlan } from '../../patterns/slots.ts';
import { expectedGain } from './expected-gain.ts';
import { freshnessOptimum } from './freshness.ts';
import { flatRow, patternTable } from './pattern-table.ts';
import { REFRESH_POLICY_NAMES, refreshPolicy } from './policies.ts';
import { tick } from './policy.ts';
import { advance, newState, observe, type RefreshState } from './state.ts';

const START = 1_600_000_000 - (1_600_000_000 % 3600);
const plan = slotPlan('daily');

function stateOf(rates: readonly number[], evidence = 50): RefreshState {
  const pages = rates.map((rate, index) => ({
    rate,
    evidence,
    importance: 0.2,
    weight: 1 - index / (2 * rates.length),
    visits: 100,
    unchanged: Math.round(100 * Math.exp(-rate)),
    watched: 100,
  }));
  return newState(pages, { table: patternTable([flatRow(plan)]), now: START });
}

const RATES = [0.01, 0.05, 0.2, 0.5, 1, 2];

describe.each(REFRESH_POLICY_NAMES)('%s', (name) => {
  test('budgets 0, 3 and 99 of 6 pages => 0, 3 and 6 different pages, each with a reason', () => {
    const state = stateOf(RATES);
    const policy = refreshPolicy(name);
    for (const [budget, visits] of [
      [0, 0],
      [3, 3],
      [99, 6],
    ] as const) {
      const ranking = tick(state, policy, state.now + 3600, budget);
      expect(new Set(ranking.pages).size).toBe(visits);
      for (let place = 0; place < visits; place++)
        expect(ranking.reason(place)).toMatch(new RegExp(`^${name}: .`));
    }
  });

  test('the same state twice => the same visits, and the state is not touched', () => {
    const state = stateOf(RATES);
    advance(state, START + 7200);
    const before = structuredClone({ ...state, table: undefined });
    const policy = refreshPolicy(name);
    const [first, second] = [policy.rank(state, state.now, 3), policy.rank(state, state.now, 3)];
    expect([...first.pages]).toEqual([...second.pages]);
    expect(structuredClone({ ...state, table: undefined })).toEqual(before);
  });

  // priced-gain plans once a day, and keeps its plan.
  test.skipIf(name === 'priced-gain')('asked before, at other times and budgets => the same visits', () => {
    const [asked, policy] = [refreshPolicy(name), refreshPolicy(name)];
    const state = stateOf(RATES);
    for (const [hours, budget] of [
      [1, 6],
      [2, 1],
      [5, 2],
    ] as const)
      tick(state, asked, START + hours * 3600, budget);
    for (const page of [0, 3, 5]) observe(state, page, { kind: 'changed', importance: 0.5 });
    advance(state, START + 9 * 3600);
    const [again, first] = [asked.rank(state, state.now, 3), policy.rank(state, state.now, 3)];
    expect([...again.scores]).toEqual([...first.scores]);
  });

  test('a page that is gone => never visited again', () => {
    const state = stateOf(RATES);
    observe(state, 2, { kind: 'gone' });
    const policy = refreshPolicy(name);
    for (let hour = 1; hour <= 5; hour++) {
      expect([...tick(state, policy, START + hour * 3600, 99).pages]).not.toContain(2);
    }
  });

  test('nothing known of any page => visits are made and nothing breaks', () => {
    const state = newState([{}, {}, {}, {}], { table: patternTable([flatRow(plan)]), now: START });
    const policy = refreshPolicy(name);
    const seen = new Set<number>();
    for (let hour = 1; hour <= 30; hour++) {
      for (const page of tick(state, policy, START + hour * 3600, 1).pages) {
        seen.add(page);
        observe(state, page, hour % 2 ? { kind: 'unchanged' } : { kind: 'changed', importance: 0.5 });
      }
    }
    expect(seen.size).toBeGreaterThan(0);
    for (const rate of state.rate) expect(Number.isFinite(rate)).toBe(true);
  });

  test('a time the state does not stand at, a budget below 0 => refused', () => {
    const state = stateOf(RATES);
    expect(() => refreshPolicy(name).rank(state, state.now + 60, 1)).toThrow(/advance it/);
    expect(() => refreshPolicy(name).rank(state, state.now, -1)).toThrow(/budget/);
  });
});

test('sweeps and round-robin => every page once before any twice', () => {
  for (const name of ['round-robin', 'relevance', 'coherence', 'sharc-sweep']) {
    const state = stateOf(RATES);
    const policy = refreshPolicy(name);
    const order: number[] = [];
    for (let hour = 1; hour <= 12; hour++) {
      for (const page of tick(state, policy, START + hour * 3600, 1).pages) {
        order.push(page);
        observe(state, page, { kind: 'unchanged' });
      }
    }
    expect([...order.slice(0, 6)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...order.slice(6)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    if (name === 'sharc-sweep') expect(order.slice(0, 6)).toEqual([0, 2, 4, 5, 3, 1]);
    if (name === 'coherence') expect(order.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
  }
});

test('adaptive-interval, half of the pages changed at every visit, far too few visits => slow pages are not starved', () => {
  const state = stateOf(new Array<number>(20).fill(0.1));
  const policy = refreshPolicy('adaptive-interval');
  for (let hour = 1; hour <= 400; hour++) {
    for (const page of tick(state, policy, START + hour * 3600, 1).pages)
      observe(state, page, page < 10 ? { kind: 'changed', importance: 0.5 } : { kind: 'unchanged' });
  }
  const [hot, slow] = [state.sweeps.subarray(0, 10), state.sweeps.subarray(10)];
  expect(Math.min(...hot)).toBeGreaterThan(Math.max(...slow));
  expect(Math.min(...slow)).toBeGreaterThanOrEqual(3);
});

test('frequency, a pace of 1 visit in two hours => its pages are those of the freshness optimum at that pace', () => {
  const rates = [0.001, 0.01, 0.05, 0.2, 1, 5];
  const pages = rates.map((rate) => ({
    rate,
    evidence: 50,
    visits: 4000,
    unchanged: Math.round(4000 * Math.exp(-rate)),
    watched: 4000,
  }));
  const state = newState(pages, { table: patternTable([flatRow(plan)]), now: START, pace: 0.5 });
  advance(state, START + 3600);
  const { scores } = refreshPolicy('frequency').rank(state, state.now, 1);
  const optimum = freshnessOptimum(rates, 0.5);
  expect([...scores].map((score) => score > 0)).toEqual([...optimum].map((often) => often > 0));
});

test('constant rates => expected-gain visits as often as the freshness optimum says', () => {
  const kinds = [0.002, 0.005, 0.01, 0.02, 0.04, 0.08];
  const rates = kinds.flatMap((rate) => new Array<number>(10).fill(rate));
  // Long horizon: the value of a version is then 1/λ, as in freshness.
  const state = newState(
    rates.map((rate) => ({ rate, evidence: 50 })),
    { table: patternTable([flatRow(plan)]), now: START, horizon: 1e7 },
  );
  const policy = expectedGain();
  const visits = new Float64Array(kinds.length);
  const hours = 4000;
  for (let hour = 1; hour <= hours; hour++) {
    for (const page of tick(state, policy, START + hour * 3600, 1).pages) {
      const kind = Math.floor(page / 10);
      if (hour > 1000) visits[kind] = (visits[kind] as number) + 1;
      // Only the clock of the page is set back: what it learns would blur the comparison.
      state.lastVisit[page] = state.now;
      state.gain[page] = 0;
      state.expected[page] = 0;
      state.survival[page] = 1;
    }
  }
  const optimum = freshnessOptimum(rates, 1);
  kinds.forEach((_, kind) => {
    const often = (visits[kind] as number) / (hours - 1000);
    expect(Math.abs(often - 10 * (optimum[kind * 10] as number))).toBeLessThan(0.02);
  });
});

test('g after k hours of a constant rate => e·(1 − e^{−λk}), and Λ, e^{−Λ} with it', () => {
  const state = stateOf([0.3]);
  advance(state, START + 5 * 3600);
  expect(state.gain[0]).toBeCloseTo(1 - Math.exp(-1.5), 5);
  expect(state.expected[0]).toBeCloseTo(1.5, 5);
  expect(state.survival[0]).toBeCloseTo(Math.exp(-1.5), 5);
});

test('a state rejects importance outside [0, 1], rows that do not exist, time that runs back', () => {
  const table = patternTable([flatRow(plan)]);
  expect(() => newState([{ weight: 2 }], { table, now: START })).toThrow(/\[0, 1\]/);
  expect(() => newState([{ row: 1 }], { table, now: START })).toThrow(/no pattern/);
  const state = stateOf(RATES);
  expect(() => advance(state, START - 1)).toThrow(/forward/);
  expect(() => observe(state, 0, { kind: 'changed', importance: 7 })).toThrow(/\[0, 1\]/);
  expect(() => observe(state, 9, { kind: 'unchanged' })).toThrow(/no page/);
});

test('a page that stops changing => its rate falls; one that starts => it rises', () => {
  const state = stateOf([0.5, 0.01], 10);
  for (let hour = 1; hour <= 200; hour++) {
    advance(state, START + hour * 3600);
    observe(state, 0, { kind: 'unchanged' });
    observe(state, 1, { kind: 'changed', importance: 0.4 });
  }
  expect(state.rate[0]).toBeLessThan(0.06);
  expect(state.rate[1]).toBeGreaterThan(0.4);
  expect(state.importance[1]).toBeGreaterThan(0.2);
});

test('an unknown name => refused with the names there are', () => {
  expect(() => refreshPolicy('best')).toThrow(/'best'.*expected-gain/);
});
