import { expect, it } from 'vitest';
import { drawPage, text, uncut } from '../../../test/drawn-page.ts';
import { layoutOf } from './layout-of.ts';
import { readTypeSizes } from './type-sizes.ts';

it('a link with a headline inside, then three texts => `32 16*3`', () => {
  const snapshot = drawPage({
    box: [0, 0, 800, 200],
    children: [
      {
        tag: 'a',
        box: [0, 0, 800, 50],
        attributes: { href: 'http://drawn.test/a' },
        children: [
          text('Politics', 0, 0, 800, 10),
          { tag: 'h1', box: [0, 10, 800, 40], style: { fontSize: 32 }, children: ['A bridge'] },
        ],
      },
      { tag: 'p', box: [0, 50, 800, 20], children: ['one'] },
      { tag: 'p', box: [0, 70, 800, 20], children: ['two'] },
      { tag: 'p', box: [0, 90, 800, 20], style: { fontSize: 15.6 }, children: ['three'] },
    ],
  });
  const { root } = layoutOf(snapshot, uncut(snapshot), { version: 'v', segmenter: 'none' });
  expect(root.typeSizes).toBe('32 16*3');
});

it('`32 16*3` => 32, 16, 16, 16; nothing known => nothing', () => {
  expect(readTypeSizes('32 16*3')).toEqual([32, 16, 16, 16]);
  expect(readTypeSizes(undefined)).toEqual([]);
});
