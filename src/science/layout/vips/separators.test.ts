import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph } from '../../../../test/drawn-page.ts';
import type { Box } from '../../../model/page-snapshot.ts';
import { type Direction, findSeparators, SEPARATORS, widthWeight } from './separators.ts';
import { visualTree } from './visual-tree.ts';

/** Separators between the children of a page. */
function between(children: readonly Drawn[], direction: Direction, notBlocks = 0) {
  const tree = visualTree(drawPage({ box: [0, 0, 1000, 1000], children }));
  const blocks = (tree.children[0] ?? []).slice(0, children.length - notBlocks);
  return findSeparators(tree, blocks, direction);
}

const picture = (...box: Box): Drawn => ({ tag: 'img', box });

test.each([
  [56, 12],
  [55, 10],
  [46, 10],
  [45, 8],
  [36, 8],
  [35, 6],
  [26, 6],
  [25, 4],
  [16, 4],
  [15, 2],
  [9, 2],
  [8, 1],
  [3, 1],
])('a strip of %i px weighs %i', (width, weight) => {
  expect(widthWeight(width)).toBe(weight);
  expect(between([picture(0, 0, 9, 9), picture(0, 9 + width, 9, 9)], 'horizontal')).toEqual([
    { direction: 'horizontal', start: 9, end: 9 + width, weight },
  ]);
});

test('strips thinner than 3 px and those at the border => none', () => {
  expect(between([picture(100, 100, 50, 50), picture(100, 152, 50, 50)], 'horizontal')).toEqual([]);
});

test('a block across a strip shrinks it, one over it deletes it', () => {
  const two = [picture(0, 0, 50, 50), picture(0, 150, 50, 50)];
  expect(between([...two, picture(60, 40, 50, 30)], 'horizontal')).toMatchObject([{ start: 70, end: 150 }]);
  expect(between([...two, picture(60, 40, 50, 130)], 'horizontal')).toEqual([]);
});

test('over an HR => 2 more', () => {
  const ruler: Drawn = { tag: 'hr', box: [0, 54, 100, 2] };
  const blocks = [picture(0, 0, 100, 50), picture(0, 60, 100, 50)];
  expect(between([...blocks, ruler], 'horizontal', 1)).toMatchObject([{ weight: 2 + SEPARATORS.ruler }]);
  const elsewhere: Drawn = { tag: 'hr', box: [300, 54, 100, 2] };
  expect(between([...blocks, elsewhere], 'horizontal', 1)).toMatchObject([{ weight: 2 }]);
});

test('another background beside it => 2 more, though the block ends 2 px off the strip', () => {
  const red: Drawn = { ...paragraph('r', 0, 0, 90, 48), style: { background: '#ff0000' } };
  const white = picture(100, 0, 100, 50);
  expect(between([red, white, picture(0, 60, 200, 50)], 'horizontal')).toMatchObject([
    { start: 50, weight: 4 },
  ]);
});

test('fonts: other font 2, larger below 4, both plain text 2 less; not across a vertical strip', () => {
  const small = paragraph('small', 0, 0, 100, 20);
  const large: Drawn = { ...paragraph('large', 0, 60, 100, 30), style: { fontSize: 30 } };
  const beside: Drawn = { ...paragraph('beside', 140, 0, 100, 20), style: { fontSize: 30 } };
  const last = paragraph('last', 0, 130, 100, 20);
  expect(between([small, large, last], 'horizontal')).toMatchObject([
    { weight: 8 + 4 - 2 },
    { weight: 8 + 2 - 2 },
  ]);
  expect(between([small, beside], 'vertical')).toMatchObject([{ weight: 8 }]);
});

/** §4.2.1 to the letter: a list of strips, which each block splits, shrinks or deletes. */
function asWritten(blocks: readonly (readonly [start: number, end: number])[]): [number, number][] {
  const first = Math.min(...blocks.map(([start]) => start));
  const last = Math.max(...blocks.map(([, end]) => end));
  let strips: [number, number][] = [[first, last]];
  for (const [start, end] of blocks) {
    strips = strips.flatMap(([from, to]): [number, number][] => {
      if (end <= from || start >= to) return [[from, to]];
      if (start <= from && end >= to) return [];
      if (start > from && end < to)
        return [
          [from, start],
          [end, to],
        ];
      return start > from ? [[from, start]] : [[end, to]];
    });
  }
  return strips.filter(([from, to]) => to - from >= 3 && from > first && to < last);
}

test("the sweep finds the strips of the paper's procedure, in both directions", () => {
  const interval = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 12 }), (intervals) => {
      const expected = asWritten(intervals.map(([start, length]) => [start, start + length] as const));
      const lying = intervals.map(([start, length]) => picture(0, start, 10, length));
      const upright = intervals.map(([start, length]) => picture(start, 0, length, 10));
      expect(between(lying, 'horizontal').map(({ start, end }) => [start, end])).toEqual(expected);
      expect(between(upright, 'vertical').map(({ start, end }) => [start, end])).toEqual(expected);
    }),
  );
});
