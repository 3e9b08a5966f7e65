import { expect, test } from 'vitest';
import { spanWords, worthWords } from './reason-words.ts';

test.each([
  [0.3852, '0.39'],
  [0.0000268, 'under 0.001'],
  [0, '0'],
  [12, '12'],
  [1234.5, '1235'],
])('worth %d => %s', (value, words) => expect(worthWords(value)).toBe(words));

test.each([
  [20_000, '20 s'],
  [3.5 * 3_600_000, '3.5 h'],
  [7 * 86_400_000, '7.0 days'],
  [5972.2 * 3_600_000, '249 days'],
])('%d ms => %s', (ms, words) => expect(spanWords(ms)).toBe(words));
