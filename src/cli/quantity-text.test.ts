import { expect, test } from 'vitest';
import { formatDuration, formatSize, plural } from './quantity-text.ts';

test('quantities for people', () => {
  expect(formatSize(999)).toBe('999 B');
  expect(formatSize(1_234_567)).toBe('1.23 MB');
  expect(formatDuration(59_400)).toBe('59 s');
  expect(formatDuration(3_900_000)).toBe('1 h 5 min');
});

test.each([
  [0, '0 histories'],
  [1, '1 history'],
  [2, '2 histories'],
])('%d => %s', (count, words) => {
  expect(plural(count, 'history', 'histories')).toBe(words);
});
