import { expect, test } from 'vitest';
import { InHand } from './in-hand.ts';

test.each([
  ['nothing under way', {}, true],
  ['as many at work as there are workers', { active: 4 }, false],
  ['one of them waits for its commit', { active: 4, committing: 1 }, true],
  ['400 wait for their commit', { active: 400, committing: 400 }, false],
  ['pages with 10,000 links wait for their commit', { active: 10, committing: 10, links: 10_000 }, false],
  ['pages with a few links wait for their commit', { active: 10, committing: 10, links: 300 }, true],
])('%s => another may begin: %j %s', (_, state, expected) => {
  expect(Object.assign(new InHand(), state).mayBegin(4)).toBe(expected);
});
