import { expect, test } from 'vitest';
import { tellingWords, wordingsOf } from './headline.ts';

test.each([
  ['Vote in the house 12 comments', 'Vote in the house 15 comments', true],
  ['Vote in the house 12', 'Vote in the house 15', true],
  ['Vote: in the house', 'The house vote', true],
  ['3 die in floods', '7 die in floods', false],
  ['Vote on the budget', 'Budget passed', false],
])('%s → %s: the same to a reader: %s', (before, after, isSame) => {
  expect(tellingWords(before) === tellingWords(after)).toBe(isSame);
});

test.each([
  ['Liveblog: Ministers meet in the capital', 'Ministers meet in the capital', true],
  ['Liveblog: Talks: Ministers meet in the capital', 'Ministers meet in the capital', true],
  ['3. Liveblog: Ministers meet in the capital', '1. Ministers meet in the capital', true],
  ['Talks: Ministers meet in the capital', 'Talks: Ministers leave the capital early', false],
  ['Talks: No end', 'War: No end', false],
])('%s → %s: the same but for a label or a rank: %s', (before, after, isSame) => {
  const known = wordingsOf(before);
  expect([...wordingsOf(after)].some((wording) => known.has(wording))).toBe(isSame);
});
