import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowValues } from '../sharpness/assignment.ts';
import { agreeingPlan } from './agreeing-plan.ts';
import { type AgreeingPages, agreeingSlots } from './agreeing-slots.ts';
import { plannedOrder } from './planned-order.ts';
import { revisitOrder } from './revisit-order.ts';

/** A page is more likely to be sharp the nearer it is to slot 0. */
const sharp =
  (rates: Float64Array): RowValues =>
  (page, from, step, out) => {
    for (let j = 0; j < out.length; j++) out[j] = Math.exp(-(rates[page] as number) * (from + j * step));
  };

function worth({ rates, pairs, delay }: AgreeingPages, own: RowValues, slots: ArrayLike<number>): number {
  const one = new Float64Array(1);
  let sum = 0;
  for (let page = 0; page < slots.length; page++) {
    own(page, slots[page] as number, 1, one);
    sum += one[0] as number;
  }
  const weight = rates.length / Math.max(1, pairs.length);
  const partners = (page: number): number => pairs.filter((pair) => pair.includes(page)).length;
  const share = (page: number): number => (rates[page] as number) / Math.max(4, partners(page));
  for (const [a, b] of pairs) {
    const apart = Math.abs((slots[a] as number) - (slots[b] as number)) * delay;
    const quieter = Math.min(rates[a] as number, rates[b] as number);
    sum += weight * Math.exp(-Math.max(quieter, share(a), share(b)) * apart);
  }
  return sum;
}

const orders = (size: number): number[][] =>
  size === 0
    ? [[]]
    : orders(size - 1).flatMap((order) =>
        Array.from({ length: size }, (_, at) => [...order.slice(0, at), size - 1, ...order.slice(at)]),
      );

test('up to six pages, any pairs => each slot once, never worse than without pairs, near the best of all orders', () => {
  const rate = fc.double({ min: 0, max: 2, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(rate, { minLength: 2, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 8 }),
      (list, drawn) => {
        const rates = Float64Array.from(list);
        const pairs = drawn.filter(([a, b]) => a < b && b < list.length);
        const own = sharp(rates);
        const pages = { rates, pairs, delay: 1 };
        const slots = agreeingSlots(pages, own);
        expect([...slots].toSorted((a, b) => a - b)).toEqual(list.map((_, slot) => slot));
        const alone = agreeingSlots({ ...pages, pairs: [] }, own);
        const [reached, before] = [worth(pages, own, slots), worth(pages, own, alone)];
        expect(reached).toBeGreaterThanOrEqual(before - 1e-9);
        const best = Math.max(...orders(list.length).map((order) => worth(pages, own, order)));
        expect(reached).toBeGreaterThanOrEqual(0.8 * best);
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});

/** A front page beyond hope, eight articles that it shows, and thirty pages that no page shows. */
const RATES = Float64Array.from([3, ...Array(8).fill(0.02), ...Array(30).fill(0.02)]);
const PAIRS = Array.from({ length: 8 }, (_, k) => [0, k + 1] as const);
/** Articles requested within ten requests of the front page. */
const beside = (times: ArrayLike<number>): number =>
  PAIRS.filter(([a, b]) => Math.abs((times[a] as number) - (times[b] as number)) <= 10).length;

test('a front page beyond hope and its articles => visited near each other, where plain nesting has them apart', () => {
  const site = { rates: RATES, delay: 1 };
  const { visits, revisits, name } = agreeingPlan(site, PAIRS, undefined);
  expect(name).toContain('8 pairs that must agree');
  expect([...visits].toSorted((a, b) => a - b)).toEqual([...visits.keys()]);
  expect(beside(visits)).toBeGreaterThan(beside(agreeingPlan(site, [], undefined).visits));
  expect(Math.max(...visits)).toBeLessThan(Math.min(...(revisits ?? [])));
});

test('planned for pages that agree => the order says so; without pairs it is that of a sharp capture', () => {
  const pages = [...RATES].map((rate, page) => ({ url: `/${page}`, rate }));
  expect(plannedOrder(pages, 'most-agreeing', 1, undefined, PAIRS).name).toContain('must agree');
  expect(plannedOrder(pages, 'most-agreeing', 1).name).toBe('sharpest-within');
});

test('the second pass => likewise, whatever the first was', () => {
  const pages = [...RATES].map((rate, page) => ({ visit: page, rate }));
  const pace = { start: RATES.length, delay: 1 };
  const slotsOf = (order: readonly number[]) => pages.map((_, page) => order.indexOf(page));
  const plain = revisitOrder(pages, 'agree', pace);
  const { order, name } = revisitOrder(pages, 'agree', pace, { pairs: PAIRS });
  expect(name).toContain('8 pairs that must agree');
  expect(plain).toEqual(revisitOrder(pages, 'sharp', pace));
  expect(beside(slotsOf(order))).toBeGreaterThanOrEqual(beside(slotsOf(plain.order)));
  expect(order.toSorted((a, b) => a - b)).toEqual([...pages.keys()]);
});
