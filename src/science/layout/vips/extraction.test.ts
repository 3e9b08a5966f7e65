import { expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph } from '../../../../test/drawn-page.ts';
import { extractBlocks } from './extraction.ts';
import { visualTree } from './visual-tree.ts';

const ROUND = { threshold: 0.05, pageArea: 1_000_000 };

function pool(...children: readonly Drawn[]) {
  return extractBlocks(visualTree(drawPage({ box: [0, 0, 1000, 1000], children })), 0, ROUND);
}

/** Rule 7 divides it unless something holds it together: the children overlap. */
const loose = (tag: string, x: number, background?: string): Drawn => ({
  tag,
  box: [x, 0, 300, 100],
  ...(background === undefined ? {} : { style: { background } }),
  children: [paragraph('a', x, 0, 300, 90), paragraph('b', x, 10, 300, 90)],
});

test('rule 8: all children on another background stay whole this round, with 6 to 8', () => {
  const row: Drawn = {
    tag: 'tr',
    box: [0, 0, 1000, 100],
    children: [loose('div', 0, '#ff0000'), loose('div', 300), loose('div', 600, '#0000ff')],
  };
  expect(pool(row, paragraph('beside', 0, 500, 500, 100))).toEqual([
    { node: 2, doc: 7 },
    { node: 8, doc: 10 },
    { node: 10, doc: 10 },
    { node: 12, doc: 7 },
    { node: 17, doc: 10 },
  ]);
});

test('rule 11: a cell after one that was not divided is not divided either', () => {
  const cell = (x: number, children: readonly Drawn[]): Drawn => ({
    tag: 'td',
    box: [x, 0, 400, 400],
    children,
  });
  const wrapped = cell(0, [loose('div', 0)]);
  const big = (x: number) => cell(x, [paragraph('c', x, 0, 400, 300), paragraph('d', x, 300, 400, 100)]);
  const row: Drawn = { tag: 'tr', box: [0, 0, 800, 300], children: [wrapped, big(400)] };
  expect(pool(row, paragraph('beside', 0, 500, 500, 100)).map(({ node }) => node)).toEqual([3, 8, 13]);
});

test('a page 20,000 nodes deep => its one text', () => {
  let page: Drawn = paragraph('deep', 0, 0, 100, 100);
  for (let i = 0; i < 20_000; i++) page = { box: [0, 0, 100, 100], children: [page] };
  expect(pool(page)).toHaveLength(1);
}, 30_000);
