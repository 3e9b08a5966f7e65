import { expect, test } from 'vitest';
import type { Block, Layout } from '../../../model/layout.ts';
import { positionsOf, traverse } from './flat-blocks.ts';

const block = (ref: string, ...blocks: Block[]): Block => ({
  ref,
  id: ref,
  box: [0, 0, 1, 1],
  doc: 1,
  importance: 0,
  links: [],
  images: [],
  texts: [],
  blocks,
});
const layout = (root: Block): Layout => ({
  url: 'https://a.example/',
  title: '',
  version: '1',
  viewport: { width: 1, height: 1 },
  segmenter: 'drawn',
  root,
});

test.each([
  ['B1.1', 'B1.1'],
  ['B1.1', 'B1'],
  ['x', 'x'],
  ['B1.01', 'B1.01'],
])('children %s and %s => two blocks cannot have one name', (a, b) => {
  expect(() => traverse(layout(block('B1', block(a), block(b))))).toThrow(
    /two blocks of the layout have the ref/,
  );
});

test('numbered, or named otherwise => in reading order', () => {
  const twelve = Array.from({ length: 12 }, (_, i) => block(`B1.${i + 1}`));
  expect(traverse(layout(block('B1', ...twelve))).leaves).toHaveLength(12);
  const named = traverse(layout(block('root', block('b'), block('a', block('c')))));
  expect([...positionsOf(named)]).toEqual([
    ['root', 0],
    ['b', 1],
    ['a', 2],
    ['c', 3],
  ]);
});
