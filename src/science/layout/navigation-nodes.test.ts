import { expect, test } from 'vitest';
import { element, page } from '../../../test/drawn-page.ts';
import { navigationNodes } from './navigation-nodes.ts';

const names = (snapshot: ReturnType<typeof page>): string[] => {
  const navigation = navigationNodes(snapshot);
  return snapshot.nodes.flatMap((node, i) =>
    node.kind === 'text' && navigation[i] === 1 ? [node.text] : [],
  );
};

test('menus, page header and footer => navigation; the header of a story => not', () => {
  const snapshot = page(
    element(
      'body',
      {},
      element('header', {}, 'a'),
      element('hp-header', {}, 'b'),
      element('div', { class: 'main-menu' }, element('p', {}, 'c')),
      element('div', { role: 'navigation' }, 'd'),
      element('main', {}, element('article', {}, element('header', {}, 'no'), 'no'), element('nav', {}, 'e')),
      element('div', { class: 'navigator' }, 'no'),
      element('footer', {}, 'f'),
    ),
  );
  expect(names(snapshot)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});
