import { expect, test } from 'vitest';
import { element, page } from '../../../../test/drawn-page.ts';
import { landmarks } from './landmarks.ts';
import { mainContent } from './main-content.ts';

const prose =
  'It was said, and often repeated, that nobody had seen the ship since the storm of that winter.';

test('prose beside a long list of links => the element that holds the prose', () => {
  const links = Array.from({ length: 30 }, (_, i) =>
    element('p', {}, element('a', { href: `/${i}` }, prose)),
  );
  const snapshot = page(
    element(
      'body',
      {},
      element('div', { id: 'links' }, ...links),
      element('div', { id: 'story' }, ...[1, 2, 3].map(() => element('p', {}, prose))),
    ),
  );
  const { node, inside } = mainContent(snapshot);
  expect(snapshot.nodes[node]).toMatchObject({ attributes: { id: 'story' } });
  expect(inside.reduce((a, b) => a + b, 0)).toBe(7);
});

test('a page without prose => no main content', () => {
  expect(mainContent(page(element('body', {}, element('a', { href: '/' }, 'x')))).node).toBe(-1);
});

test('roles and tags => the nearest landmark; a footer inside an article is the article', () => {
  const snapshot = page(
    element(
      'body',
      {},
      element('div', { role: 'Search' }, 'find'),
      element('article', {}, element('footer', {}, 'by me')),
      element('footer', {}, 'legal'),
      element('nav', { role: 'presentation' }, 'plain'),
    ),
  );
  const found = landmarks(snapshot);
  const byText = snapshot.nodes.flatMap((node, i) => (node.kind === 'text' ? [[node.text, found[i]]] : []));
  expect(Object.fromEntries(byText)).toEqual({
    find: 'search',
    'by me': 'article',
    legal: 'contentinfo',
    plain: undefined,
  });
});
