import { expect, test } from 'vitest';
import { BlockedRequests } from './blocked-requests.ts';

test('a thousand requests by few rules => a line for each rule, one for all filters, the most first', () => {
  const blocked = new BlockedRequests();
  for (let i = 0; i < 1000; i++) blocked.add(`https://a/${i}.mp4`, { reason: 'blocked', rule: '\\.mp4$' });
  blocked.add('https://a/x', { reason: 'blocked', rule: 'x' });
  for (const [filter, times] of [
    ['||a^', 1],
    ['||b^', 5],
    ['||c^', 2],
    ['||d^', 3],
  ] as const)
    for (let i = 0; i < times; i++)
      blocked.add(`https://${filter}/${i}`, { reason: 'advertisement', rule: filter });
  expect(blocked.facts()).toEqual([
    '1000 requests not made, by the block rule: \\.mp4$',
    '1 request not made, by the block rule: x',
    '11 requests for advertisements not made, by ||b^ (5), ||d^ (3), ||c^ (2) and 1 more filters',
  ]);
  expect(blocked.list()).toHaveLength(1000);
});
