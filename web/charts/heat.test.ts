import { expect, it } from 'vitest';
import { type HeatNode, heatTree } from './heat.ts';

const names = (nodes: readonly HeatNode[]): unknown =>
  nodes.map(({ name, children }) => [name, names(children)]);

it('/, /a/, /a/b/c/, /d/ => a tree with the names below each parent', () => {
  const rows = ['/d/', '/', '/a/b/c/', '/a/'].map((directory) => ({ directory, pages: 1, degrees: [] }));
  expect(names(heatTree(rows))).toEqual([
    [
      '/',
      [
        ['a/', [['b/c/', []]]],
        ['d/', []],
      ],
    ],
  ]);
});
