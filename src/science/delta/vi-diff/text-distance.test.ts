import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestIncreasing } from './increasing.ts';
import { sourceKey } from './source-key.ts';
import { textDistance, wordDistance, wordsOf } from './text-distance.ts';

test.each([
  ['a b c d', 'a b c d', 0],
  ['a b c d', 'a b c e', 0.25],
  ['a b c d', 'd c b a', 0],
  ['a a b', 'a b b', 1 / 3],
  ['a b', 'c d', 1],
  ['', 'a', 1],
  ['', '', 0],
  ['東京の天気', '東京の天気', 0],
])('%j, %j => %d', (a, b, expected) => {
  expect(textDistance(a, b)).toBeCloseTo(expected, 12);
});

test('scripts without spaces => words, not one long word', () => {
  expect(wordsOf('今日は天気が良い').length).toBeGreaterThan(2);
  expect(wordsOf('วันนี้อากาศดีมาก').length).toBeGreaterThan(2);
  expect(wordsOf('  plain  words ')).toEqual(['plain', 'words']);
  expect(wordsOf('——、')).toHaveLength(1);
});

test('any two texts => as counted the slow way, symmetric, in [0, 1]', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  const count = (list: readonly string[], word: string): number => list.filter((one) => one === word).length;
  fc.assert(
    fc.property(words, words, (a, b) => {
      const apart = ['a', 'b', 'c', 'd'].reduce((sum, w) => sum + Math.abs(count(a, w) - count(b, w)), 0);
      const expected = a.length + b.length === 0 ? 0 : apart / (a.length + b.length);
      expect(wordDistance(a, b)).toBeCloseTo(expected, 12);
      expect(wordDistance(b, a)).toBeCloseTo(expected, 12);
    }),
  );
});

test.each([
  ['https://a.example/i.png?v=3', 'https://a.example/i.png'],
  ['https://a.example/i.png?1643365200', 'https://a.example/i.png'],
  ['https://a.example/i.png?w=100&_=17&h=5#top', 'https://a.example/i.png?w=100&h=5'],
  ['https://a.example/i.png;jsessionid=AB12?w=1', 'https://a.example/i.png?w=1'],
  ['https://a.example/show?id=17', 'https://a.example/show?id=17'],
  ['data:0123', 'data:0123'],
])('source %s => key %s', (source, key) => {
  expect(sourceKey(source)).toBe(key);
});

test('any numbers => a longest increasing run, as by trying all subsets', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 }), (values) => {
      const kept = values.filter((_, i) => longestIncreasing(values)[i] === 1);
      const rising = (list: readonly number[]): boolean =>
        list.every((value, i) => i === 0 || value > (list[i - 1] as number));
      let longest = 0;
      for (let mask = 0; mask < 1 << values.length; mask++) {
        const subset = values.filter((_, i) => mask & (1 << i));
        if (rising(subset)) longest = Math.max(longest, subset.length);
      }
      expect(rising(kept)).toBe(true);
      expect(kept.length).toBe(longest);
    }),
  );
});
