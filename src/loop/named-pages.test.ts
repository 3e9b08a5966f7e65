import { expect, test } from 'vitest';
import { NamedPages } from './named-pages.ts';

test('what was named is remembered; of very many the latest, no more than 100,000', () => {
  const named = new NamedPages();
  const url = (number: number): string => `https://example.org/${number}`;
  for (let number = 0; number < 170_000; number++) named.add(url(number));
  expect(named.has(url(169_999))).toBe(true);
  expect(named.has(url(120_000))).toBe(true);
  expect(named.has(url(0))).toBe(false);
  expect(named.has(url(170_000))).toBe(false);
});
