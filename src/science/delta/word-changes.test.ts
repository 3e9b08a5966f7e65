import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordChanges } from './word-changes.ts';

const marked = (old: string, now: string): string =>
  wordChanges(old, now)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'old' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

it('one word changed => that word alone', () => {
  expect(marked('Rain in the north', 'Sun in the north')).toBe('[-Rain -][+Sun +]in the north');
});

it('Japanese without spaces => the words that changed', () => {
  expect(marked('今日は雨です', '今日は晴れです')).toMatch(/^今日は.*です$/u);
});

it('more than 600 words => whole texts', () => {
  const long = 'word '.repeat(700);
  expect(wordChanges(long, `${long}x`)).toHaveLength(2);
});

it('any two texts => old and new can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (old, now) => {
      const runs = wordChanges(old, now);
      const side = (skip: string): string =>
        runs.flatMap(({ kind, text }) => (kind === skip ? [] : [text])).join('');
      expect(side('new')).toBe(old);
      expect(side('old')).toBe(now);
    }),
  );
});
