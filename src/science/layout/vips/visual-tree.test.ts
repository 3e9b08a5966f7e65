import { expect, test } from 'vitest';
import { drawPage, indexOfText, paragraph, text } from '../../../../test/drawn-page.ts';
import { visualTree } from './visual-tree.ts';

test('kinds: text, virtual text in virtual text, inline around a picture, line-break by display', () => {
  const tree = visualTree(
    drawPage({
      box: [0, 0, 500, 500],
      children: [
        {
          tag: 'a',
          box: [0, 0, 90, 20],
          children: [{ tag: 'b', box: [0, 0, 90, 20], children: [text('x', 0, 0, 90, 20)] }],
        },
        { tag: 'a', box: [0, 20, 90, 20], children: [{ tag: 'img', box: [0, 20, 90, 20] }] },
        {
          tag: 'span',
          box: [0, 40, 90, 20],
          style: { display: 'block' },
          children: [text('y', 0, 40, 90, 20)],
        },
        {
          tag: 'div',
          box: [0, 60, 90, 20],
          style: { display: 'inline-block' },
          children: [text('z', 0, 60, 90, 20)],
        },
      ],
    }),
  );
  expect(tree.kind).toEqual([
    'line-break',
    'virtual-text',
    'virtual-text',
    'text',
    'inline',
    'atom',
    'line-break',
    'text',
    'virtual-text',
    'text',
  ]);
});

test('a floated SPAN breaks the line, whatever its display says', () => {
  const span = {
    tag: 'span',
    box: [0, 0, 9, 9],
    style: { float: 'left' },
    children: [text('x', 0, 0, 9, 9)],
  } as const;
  expect(visualTree(drawPage({ box: [0, 0, 99, 99], children: [span] })).kind[1]).toBe('line-break');
});

test('a container without height is valid when floats inside it show; an empty spacer is not', () => {
  const tree = visualTree(
    drawPage({
      box: [0, 0, 500, 500],
      children: [
        { box: [0, 0, 500, 0], children: [paragraph('float', 10, 0, 200, 100)] },
        { box: [0, 100, 500, 50] },
      ],
    }),
  );
  expect(tree.children[0]).toEqual([1]);
  expect([tree.left[1], tree.top[1], tree.right[1], tree.bottom[1]]).toEqual([10, 0, 210, 100]);
  expect(tree.area[1]).toBe(20_000);
});

test('text outside the page or without area is not valid', () => {
  const snapshot = drawPage({
    box: [0, 0, 500, 500],
    children: [text('skip link', -9999, 0, 90, 20), text('flat', 0, 0, 90, 0), text('seen', 0, 0, 90, 20)],
  });
  expect(visualTree(snapshot).children[0]).toEqual([indexOfText(snapshot, 'seen')]);
});

test('extent: transparent padding does not show, a frame does, white on white does not', () => {
  const inner = [text('x', 40, 40, 20, 20)];
  const tree = visualTree(
    drawPage({
      box: [0, 0, 500, 500],
      children: [
        { box: [0, 0, 100, 100], children: inner },
        { box: [0, 0, 100, 100], style: { background: '#ff0000' }, children: inner },
        { box: [0, 0, 100, 100], style: { background: '#ffffff' }, children: inner },
        { box: [0, 0, 100, 100], style: { borders: [true, false, false, false] }, children: inner },
      ],
    }),
  );
  expect([1, 3, 5, 7].map((node) => tree.left[node])).toEqual([40, 0, 40, 0]);
});

test('fixed and sticky nodes are overlays and no children; one inside another is none of its own', () => {
  const inner = {
    box: [0, 0, 50, 20],
    style: { position: 'sticky' },
    children: [text('in', 0, 0, 50, 20)],
  } as const;
  const tree = visualTree(
    drawPage({
      box: [0, 0, 500, 500],
      children: [
        { box: [0, 0, 500, 40], style: { position: 'fixed' }, children: [inner] },
        paragraph('page', 0, 50, 500, 50),
      ],
    }),
  );
  expect(tree.overlays).toEqual([1]);
  expect(tree.children[0]).toEqual([4]);
});

test('the TBODY of a table is judged as the table, a single wrapper in a cell as the cell', () => {
  const cell = (x: number) => ({
    tag: 'td',
    box: [x, 0, 50, 50] as const,
    children: [
      {
        box: [x, 0, 50, 50] as const,
        children: [paragraph('a', x, 0, 50, 20), paragraph('b', x, 30, 50, 20)],
      },
    ],
  });
  const row = { tag: 'tr', box: [0, 0, 100, 50] as const, children: [cell(0), cell(50)] };
  const last = { tag: 'tr', box: [0, 50, 100, 50] as const, children: [cell(0), cell(50)] };
  const body = { tag: 'tbody', box: [0, 0, 100, 100] as const, children: [row, last] };
  const tree = visualTree(
    drawPage({
      box: [0, 0, 500, 500],
      children: [{ tag: 'table', box: [0, 0, 100, 100], children: [body] }, paragraph('x', 0, 200, 90, 20)],
    }),
  );
  expect(tree.role.slice(1, 6)).toEqual(['table', 'table', 'row', 'cell', 'cell']);
});
