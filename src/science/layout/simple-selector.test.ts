import { expect, test } from 'vitest';
import type { SnapshotElement } from '../../model/page-snapshot.ts';
import { simpleSelector } from './simple-selector.ts';

const element: SnapshotElement = {
  kind: 'element',
  parent: 0,
  box: [0, 0, 1, 1],
  tag: 'div',
  style: 0,
  attributes: { id: 'top:1', class: 'ad-box  wide', role: 'banner', href: 'https://Ads.test/x' },
};

test.each([
  ['div', true],
  ['*', true],
  ['span', false],
  ['#top\\:1', true],
  ['.ad-box', true],
  ['.ad', false],
  ['div#top\\:1.wide[role="banner"]', true],
  ['DIV.wide', true],
  ['[role]', true],
  ['[title]', false],
  ['[class~=wide]', true],
  ['[class^="ad-"]', true],
  ['[class$="wide"]', true],
  ['[class*="box"]', true],
  ['[class*=""]', false],
  ["[role|='banner']", true],
  ['[href^="https://ads.test/"]', false],
  ['[href^="https://ads.test/" i]', true],
  ['span, .wide', true],
  ['span, p', false],
])('%s => %s', (selector, expected) => {
  expect(simpleSelector(selector)?.(element)).toBe(expected);
});

test.each(['div p', 'a > b', 'a:hover', ':not(.x)', '', 'a,', ',a', '[x', '#', 'a*', '::before'])(
  '%j => not of this kind',
  (selector) => {
    expect(simpleSelector(selector)).toBeUndefined();
  },
);
