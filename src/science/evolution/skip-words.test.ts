import { expect, test } from 'vitest';
import { ruleWords } from './skip-words.ts';

test('a rule => speaks of what is below its directories, not of the pages directly in them', () => {
  expect(ruleWords({ head: ['/'], tail: '/docs/', held: 9, times: 10 })).toBe(
    'when what is below / changes, what is below /docs/ does not (less than 10% of it): 9 of 10 times',
  );
  expect(ruleWords({ head: ['/', '/news/'], tail: '/docs/', held: 1, times: 2 })).toContain(
    'when what is below / and /news/ changes, ',
  );
});
