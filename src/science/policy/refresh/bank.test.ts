import { describe, expect, test } from 'vitest';
import { slotPlan } from '../../patterns/slots.ts';
import { BANK, type Bank, bankedRound, EMPTY_BANK } from './bank.ts';
import { flatRow, patternTable } from './pattern-table.ts';
import { REFRESH_POLICY_NAMES, refreshPolicy } from './policies.ts';
import { advance, newState, observe, type RefreshState } from './state.ts';
import { steadyPrice } from './steady-price.ts';

const START = 1_600_000_000 - (1_600_000_000 % 3600);
const plan = slotPlan('daily');

/** Quiet nights, busy middays. */
const shape = Array.from({ length: 24 }, (_, hour) => (hour < 8 ? 0.1 : hour < 16 ? 2.4 : 0.5));
const daily = { plan, shape, emphasis: new Array<number>(24).fill(1) };

function stateOf(size: number, pace: number, evidence = 50): RefreshState {
  const pages = Array.from({ length: size }, (_, page) => ({
    rate: 0.005 * 2 ** (page % 7),
    evidence,
    importance: 0.2,
    visits: evidence,
    watched: evidence,
  }));
  return newState(pages, { table: patternTable([daily]), now: START, pace });
}

interface Run {
  readonly bank: Bank;
  /** Visits of each round. */
  readonly spent: readonly number[];
  readonly balances: readonly number[];
}

/** Whether a page has changed depends only on its number and the hour: the same in every run. */
function run(name: string, state: RefreshState, rounds: number, from: Bank = EMPTY_BANK): Run {
  const policy = refreshPolicy(name);
  const [spent, balances]: [number[], number[]] = [[], []];
  let bank = from;
  let earnedBefore = 0;
  for (let round = 1; round <= rounds; round++) {
    advance(state, state.now + 3600);
    const earned = Math.floor(round * state.pace) - earnedBefore;
    earnedBefore += earned;
    const result = bankedRound(bank, state, policy, earned);
    bank = result.bank;
    spent.push(result.visits.pages.length);
    balances.push(bank.balance);
    for (const page of result.visits.pages) {
      const changed = (page * 7 + round) % 3 !== 0;
      observe(state, page, changed ? { kind: 'changed', importance: 0.3 } : { kind: 'unchanged' });
    }
  }
  return { bank, spent, balances };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe.each(REFRESH_POLICY_NAMES)('%s with a bank', (name) => {
  test('200 rounds => never overdrawn, never fuller than the cap, nothing spent that was not earned', () => {
    for (const pace of [0.4, 3, 12]) {
      const { spent, balances } = run(name, stateOf(40, pace), 200);
      let all = 0;
      spent.forEach((visits, round) => {
        all += visits;
        expect(all).toBeLessThanOrEqual(Math.floor((round + 1) * pace) + 1e-9);
        expect(balances[round]).toBeGreaterThanOrEqual(0);
        expect(balances[round]).toBeLessThanOrEqual(Math.max(1, BANK.hours * pace) + 1e-9);
      });
    }
  });

  test('earning 0 => no visit; earning more than there are pages => each once', () => {
    expect(sum(run(name, stateOf(10, 0), 20).spent)).toBe(0);
    const { spent } = run(name, stateOf(10, 25), 60);
    expect(Math.max(...spent)).toBeLessThanOrEqual(10);
    expect(spent.at(-1)).toBe(10);
  });

  test('the same bank and state => the same visits, each with a reason; the bank is plain data', () => {
    const state = stateOf(40, 4);
    const { bank } = run(name, state, 100);
    const stored = JSON.parse(JSON.stringify(bank)) as Bank;
    expect(stored).toEqual(bank);
    const policy = refreshPolicy(name);
    advance(state, state.now + 3600);
    const [first, second] = [bankedRound(bank, state, policy, 4), bankedRound(stored, state, policy, 4)];
    expect([...first.visits.pages]).toEqual([...second.visits.pages]);
    expect(first.bank).toEqual(second.bank);
    first.visits.pages.forEach((_, place) => {
      expect(first.visits.reason(place)).toMatch(new RegExp(`^${name}: .`));
    });
  });

  test('a page that is gone => never visited again', () => {
    const state = stateOf(10, 5);
    observe(state, 2, { kind: 'gone' });
    run(name, state, 50);
    expect(state.sweeps[2]).toBe(0);
    expect(state.sweeps[3]).toBeGreaterThan(0);
  });

  test('nothing known of any page => every page is visited', () => {
    const state = stateOf(20, 2, 0);
    run(name, state, 200);
    expect(Math.min(...state.sweeps)).toBeGreaterThan(0);
  });
});

describe.each(['expected-gain', 'priced-gain'])('%s with a bank', (name) => {
  test('six weeks => spending within 2 % of the pace, and not the same at every hour of the day', () => {
    for (const pace of [3, 12]) {
      const { spent } = run(name, stateOf(120, pace), 1008);
      expect(Math.abs(sum(spent) / (1008 * pace) - 1)).toBeLessThan(0.02);
      const byHour = Array.from({ length: 24 }, (_, hour) =>
        sum(spent.filter((_visits, at) => at % 24 === hour)),
      );
      expect(Math.max(...byHour)).toBeGreaterThan(1.5 * Math.min(...byHour));
    }
  });
});

test('the steady price of constant rates => spending at the pace with it, from the first days on', () => {
  const rates = Array.from({ length: 100 }, (_, page) => 0.004 * 2 ** (page % 6));
  const state = newState(
    rates.map((rate) => ({ rate, evidence: 50 })),
    { table: patternTable([flatRow(plan)]), now: START, pace: 3, horizon: 1e5 },
  );
  const price = steadyPrice(state);
  const { priced } = refreshPolicy('expected-gain');
  let visits = 0;
  for (let hour = 1; hour <= 600; hour++) {
    advance(state, START + hour * 3600);
    const ranking = priced?.rankAt(state, { price, room: 100, earned: 3 });
    for (const page of ranking?.pages ?? []) {
      if (hour > 200) visits++;
      // Only the clock of the page is set back: what it learns would blur the comparison.
      state.lastVisit[page] = state.now;
      state.gain[page] = 0;
      state.expected[page] = 0;
      state.survival[page] = 1;
    }
  }
  expect(Math.abs(visits / 400 / 3 - 1)).toBeLessThan(0.05);
});

test('fractions earned => kept until they make a visit', () => {
  const state = stateOf(5, 0.25);
  let bank = EMPTY_BANK;
  const spent: number[] = [];
  for (let round = 1; round <= 8; round++) {
    advance(state, state.now + 3600);
    const result = bankedRound(bank, state, refreshPolicy('round-robin'), 0.25);
    bank = result.bank;
    spent.push(result.visits.pages.length);
  }
  expect(spent).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
});

test('earnings that are no number, or below 0 => refused', () => {
  for (const earned of [-1, Number.NaN, Infinity])
    expect(() => bankedRound(EMPTY_BANK, stateOf(3, 1), refreshPolicy('expected-gain'), earned)).toThrow(
      /earns/,
    );
});
