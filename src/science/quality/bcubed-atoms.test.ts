import { expect, test } from 'vitest';
import { drawPage, text } from '../../../test/drawn-page.ts';
import { atomsOf } from './bcubed-atoms.ts';

test('texts, pictures and drawn boxes are atoms; holders, spacers and what has no size are not', () => {
  const page = drawPage({
    box: [0, 0, 100, 100],
    children: [
      { tag: 'div', box: [0, 0, 100, 20], children: [text('two words', 0, 0, 50, 10)] },
      { tag: 'img', box: [0, 20, 10, 10] },
      { tag: 'div', box: [0, 30, 100, 10] },
      { tag: 'div', box: [0, 40, 100, 10], style: { background: '#ff0000' } },
      { tag: 'img', box: [0, 50, 0, 10] },
    ],
  });
  const { nodes, weights } = atomsOf(page);
  expect(nodes).toEqual([2, 3, 5]);
  expect(weights.characters).toEqual([8, 0, 0]);
  expect(weights.nodes).toEqual([1, 1, 1]);
  expect(weights.pixels).toEqual([500, 100, 1000]);
  expect(weights.edges).toEqual([8 * 2 * 16, 40, 220]);
});
