import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textDistance, wordsOf } from './text-distance.ts';
import { WordIds } from './word-ids.ts';

test('any texts => the distance of their words, however many went before', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'ein', 'Wort'), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), (pairs) => {
      const words = new WordIds();
      for (const [a, b] of pairs) {
        const [old, now] = [a.join(' '), b.join(' ')];
        expect(words.distance(words.idsOf(old), words.idsOf(now))).toBeCloseTo(textDistance(old, now), 12);
      }
    }),
  );
});

test('more words than were made room for => the same', () => {
  const words = new WordIds();
  const many = Array.from({ length: 5000 }, (_, i) => `w${i}`);
  const all = words.idsOf(many.join(' '));
  expect(words.distance(all, all)).toBe(0);
  expect(words.distance(all, words.idsOf(many.slice(2500).join(' ')))).toBeCloseTo(1 / 3, 12);
});

test('spaces of every kind => cut as by \\s+', () => {
  const units = [
    'a',
    'é',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u1680',
    '\u2003',
    '\u2028',
    '\u202f',
    '\u205f',
    '\ufeff',
    '\u200b',
    '„',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...units)), (drawn) => {
      const text = drawn.join('');
      const trimmed = text.trim();
      expect(wordsOf(text)).toEqual(trimmed === '' ? [] : trimmed.split(/\s+/u));
    }),
  );
});
