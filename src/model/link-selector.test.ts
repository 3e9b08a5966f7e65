import { expect, test } from 'vitest';
import { parseLinkSelector } from './link-selector.ts';

test('selector and what to take of it, as Browsertrix writes it => both; href without an arrow', () => {
  expect(parseLinkSelector('a.story->href')).toEqual({ css: 'a.story', take: 'property', name: 'href' });
  expect(parseLinkSelector('[data-url] -> @data-url')).toEqual({
    css: '[data-url]',
    take: 'attribute',
    name: 'data-url',
  });
  expect(parseLinkSelector('main > a')).toEqual({ css: 'main > a', take: 'property', name: 'href' });
});

test.each(['', 'a->', '->href', 'a[->href', 'a:hover', '<a>', 'a->href->href'])('%s => refused', (text) => {
  expect(() => parseLinkSelector(text)).toThrow(RangeError);
});
