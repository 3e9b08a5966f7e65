import { expect, test } from 'vitest';
import { type Drawn, drawPage } from '../../../../test/drawn-page.ts';
import type { Box } from '../../../model/page-snapshot.ts';
import { constructRegion, type VipsRegion } from './structure.ts';
import { visualTree } from './visual-tree.ts';

/** Blocks are numbered from 1 as drawn; a divided region reads [weight, parts]. */
type Shape = number | readonly [number | undefined, ...Shape[]];

function structure(...boxes: readonly Box[]): Shape | undefined {
  const children = boxes.map((box): Drawn => ({ tag: 'img', box }));
  const tree = visualTree(drawPage({ box: [0, 0, 1000, 1000], children }));
  const region = constructRegion(
    tree,
    boxes.map((_, i) => ({ node: i + 1, doc: 11 })),
  );
  return region && shapeOf(region);
}

function shapeOf(region: VipsRegion): Shape {
  return region.kind === 'leaf' ? region.block.node : [region.weight, ...region.parts.map(shapeOf)];
}

test('no block => nothing, one => a leaf', () => {
  expect(structure()).toBeUndefined();
  expect(structure([0, 0, 9, 9])).toBe(1);
});

test('merged across the lightest separator first: 10 px before 40 px', () => {
  expect(structure([0, 0, 100, 50], [0, 60, 100, 50], [0, 150, 100, 50])).toEqual([8, [2, 1, 2], 3]);
});

test('equal separators => one region of all the blocks, not pairs', () => {
  expect(structure([0, 0, 9, 50], [0, 60, 9, 50], [0, 120, 9, 50])).toEqual([2, 1, 2, 3]);
});

test('a grid is divided at the heavier direction first', () => {
  const grid: readonly Box[] = [
    [0, 0, 100, 50],
    [140, 0, 100, 50],
    [0, 60, 100, 50],
    [140, 60, 100, 50],
  ];
  expect(structure(...grid)).toEqual([8, [2, 1, 3], [2, 2, 4]]);
});

test('columns under a headline: a separator that does not cross the headline', () => {
  expect(structure([0, 0, 300, 50], [0, 60, 100, 200], [160, 60, 140, 200])).toEqual([2, 1, [12, 2, 3]]);
});

test('blocks that touch or overlap => side by side, without a separator', () => {
  expect(structure([0, 0, 100, 50], [0, 51, 100, 50], [50, 20, 100, 50])).toEqual([undefined, 1, 2, 3]);
});
