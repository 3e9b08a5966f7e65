import { expect, test } from 'vitest';
import { longestUnseen } from './longest-unseen.ts';

const candidate = (url: string, depth = 1) => ({ url, depth, batch: 0, index: 0, rate: 1 });

test('a seed, a new page, pages seen on two days => in this order, the older day first, each with its reason', () => {
  const order = longestUnseen(
    new Map([
      ['seed', Date.UTC(2026, 2, 3)],
      ['lately', Date.UTC(2026, 2, 2)],
      ['long ago', Date.UTC(2026, 2, 1)],
    ]),
  );
  const pages = [candidate('lately'), candidate('new'), candidate('long ago'), candidate('seed', 0)];
  const ordered = pages.toSorted((a, b) => order.rank(a) - order.rank(b));
  expect(ordered.map(({ url }) => url)).toEqual(['seed', 'new', 'long ago', 'lately']);
  expect(order.reason(candidate('new'))).toBe('longest-unseen: never seen before');
  expect(order.reason(candidate('long ago'))).toBe('longest-unseen: last seen 2026-03-01T00:00:00.000Z');
});
