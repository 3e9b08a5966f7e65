import { expect, test } from 'vitest';
import { plannedOrder } from './planned-order.ts';

const pages = [0, 1, 2, 3, 4, 5].map((rate) => ({ url: `p${rate}`, rate }));
const candidate = (url: string, rate: number) => ({ url, rate, depth: 1, batch: 1, index: 0 });

test('least blur, λ = 0..5 => the organ pipe p0 p2 p4 p5 p3 p1', () => {
  const order = plannedOrder(pages, 'least-blur', 1);
  const inOrder = pages.toSorted(
    (a, b) => order.rank(candidate(a.url, a.rate)) - order.rank(candidate(b.url, b.rate)),
  );
  expect(inOrder.map(({ url }) => url)).toEqual(['p0', 'p2', 'p4', 'p5', 'p3', 'p1']);
});

test('a page that the plan does not know => beside one of its rate, in the later half', () => {
  const order = plannedOrder(pages, 'least-blur', 1);
  const cold = order.rank(candidate('new', 0.5));
  const hot = order.rank(candidate('new', 9));
  expect([cold, hot]).toEqual([5.5, 3.5]);
  expect(order.reason(candidate('new', 0.5))).toContain('new, beside slot 6 of 6');
});

test('most sharp => the coldest outside, those that may stay sharp within, and what decided is named', () => {
  const slow = [0.001, 0.002, 0.004, 0.008].map((rate) => ({ url: `p${rate}`, rate }));
  const order = plannedOrder(slow, 'most-sharp', 1);
  const ranks = slow.map(({ url, rate }) => order.rank(candidate(url, rate)));
  expect(ranks.slice(0, 2)).toEqual([0, 1]);
  expect(ranks.slice(2).toSorted()).toEqual([2, 3]);
  expect(order.name).toMatch(/^sharp/);
});

test('by hour: a hot page that sleeps through the capture => outside, where a steady one of its rate is in the middle', () => {
  const rates = [0.01, 0.01, 0.01, 0.01, 1];
  const known = rates.map((rate, i) => ({ url: `p${i}`, rate }));
  const last = candidate('p4', 1);
  expect(plannedOrder(known, 'least-blur', 1).rank(last)).toBe(2);
  const asleep = (page: number, time: number): number => (page === 4 ? 0 : 0.01 * time);
  const order = plannedOrder(known, 'least-blur', 1, asleep);
  expect(order.rank(last)).not.toBe(2);
  expect(order.reason(last)).toMatch(/^sharc-offline by hour: /);
});

test('no pages known => any page in slot 0', () => {
  expect(plannedOrder([], 'least-blur', 1).rank(candidate('x', 1))).toBe(0.5);
});

test('50,000 pages, most sharp => planned all the same', () => {
  const many = Array.from({ length: 50_000 }, (_, i) => ({ url: `p${i}`, rate: (i % 97) / 1e6 }));
  const order = plannedOrder(many, 'most-sharp', 1);
  expect(new Set(many.map(({ url, rate }) => order.rank(candidate(url, rate)))).size).toBe(50_000);
});
