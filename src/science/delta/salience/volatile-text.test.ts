import { expect, it } from 'vitest';
import { turnsByItself, withoutVolatile } from './volatile-text.ts';

it.each([
  ['21:35'],
  ['21.35 Uhr'],
  ['Friday, 28 January 2022, 21:35'],
  ['Fr. 28.01.2022'],
  ['28 de enero de 2022'],
  ['January 28, 2022'],
  ['2022-01-28T21:35:10Z'],
  ['vor 5 Minuten'],
  ['il y a 2 heures'],
  ['hace 3 días'],
  ['12 minutes ago'],
  ['1.234 Kommentare'],
  ['12k views'],
  ['Comments (12)'],
  ['−3 °C'],
  ['−0,31 %'],
  ['1,234,567'],
  ['482'],
])('%s => nothing is left', (text) => expect(withoutVolatile(text).replace(/[\s,.·|()]/gu, '')).toBe(''));

it.each([
  ['12 dead after storm on the coast', 'figures of a sentence'],
  ['19,99 €', 'a price'],
  ['OpenBSD 7.3', 'a version number'],
  ['Bayern – Dortmund 3:1', 'a score'],
  ['Share of voters at 31 % in March poll', 'a share'],
])('%s (%s) => stays', (text) => expect(withoutVolatile(text)).toBe(text));

it('DAX 15.318,95 −0,3 % => its name stays', () =>
  expect(withoutVolatile('DAX 15.318,95 −0,3 %')).toBe('DAX'));

it('a headline with its time => the headline', () =>
  expect(withoutVolatile('21:05 Bridge closed after storm 12 comments')).toBe('Bridge closed after storm'));

it('a short text in a block that changed at 9 of 10 visits => turns by itself; a sentence does not', () => {
  expect(turnsByItself(2, 0.9)).toBe(true);
  expect(turnsByItself(2, 0.5)).toBe(false);
  expect(turnsByItself(2, undefined)).toBe(false);
  expect(turnsByItself(9, 0.9)).toBe(false);
});

it.each([
  ['digits', '0123456789'.repeat(100_000)],
  ['points and digits', '1.'.repeat(500_000)],
  ['spaces', `vor${' '.repeat(500_000)}5 Minuten`],
  ['points before a letter', `1 ${'.'.repeat(999_990)}a`],
  ['words of time', 'vor 5 Minuten '.repeat(50_000)],
])('a million characters of %s => ends: no form looks far', (_, text) => {
  expect(typeof withoutVolatile(text)).toBe('string');
});
