import { expect, test } from 'vitest';
import { type Drawn, drawPage, text } from '../../../../test/drawn-page.ts';
import type { Box, SnapshotStyle } from '../../../model/page-snapshot.ts';
import { judge, type NodeQuestion, RULES_BY_ROLE } from './rules.ts';
import { visualTree } from './visual-tree.ts';

const BOX: Box = [0, 0, 100, 100];

/** The verdict on the drawn node, on a page of 1000 × 1000 px, beside a node that keeps the body from being a wrapper. */
function verdictOn(drawn: Drawn, question: Partial<NodeQuestion> = {}) {
  const snapshot = drawPage({ box: [0, 0, 1000, 1000], children: [drawn, text('beside', 0, 900, 50, 20)] });
  const tree = visualTree(snapshot);
  return judge({
    tree,
    node: 1,
    onlyRoot: false,
    threshold: 0.05,
    pageArea: 1_000_000,
    previousSiblingDivided: undefined,
    ...question,
  });
}

function node(
  tag: string,
  children: readonly Drawn[],
  box: Box = BOX,
  style: Partial<SnapshotStyle> = {},
): Drawn {
  return { tag, box, children, style };
}

const WORDS = text('words', 0, 0, 50, 20);
const SPAN = node('span', [text('span', 50, 0, 40, 20)], [50, 0, 40, 20]);
const LINE = node('div', [text('line', 0, 20, 90, 20)], [0, 20, 90, 20]);
const OTHER_LINE = node('div', [text('other', 0, 40, 90, 20)], [0, 40, 90, 20]);
const BIG = node('div', [text('big', 0, 0, 300, 300)], [0, 0, 300, 300]);

test('Table 2 of VIPS: which rules are asked for which nodes', () => {
  expect(RULES_BY_ROLE).toEqual({
    inline: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12],
    table: [1, 2, 3, 8, 10, 13],
    row: [1, 2, 3, 7, 8, 10, 13],
    cell: [1, 2, 3, 4, 9, 10, 11, 13],
    other: [1, 2, 3, 4, 6, 7, 9, 10, 12],
  });
});

test('rule 1: a painted node with nothing inside => cut', () => {
  expect(verdictOn(node('div', [], BOX, { background: '#ff0000' }))).toEqual({
    rule: 1,
    verdict: { action: 'cut' },
  });
});

test('rule 1: a row of painted cells with nothing inside => cut', () => {
  const cell = (x: number): Drawn => node('td', [], [x, 0, 50, 2], { background: '#ff0000' });
  expect(verdictOn(node('tr', [cell(0), cell(50)], [0, 0, 100, 2]))).toMatchObject({ rule: 1 });
});

test('a text, a picture => whole, 11', () => {
  expect(verdictOn(WORDS)).toEqual({ rule: 0, verdict: { action: 'keep', doc: 11 } });
  expect(verdictOn(node('img', []))).toEqual({ rule: 0, verdict: { action: 'keep', doc: 11 } });
});

test('rule 2: one child, not text => divide; one text => rule 4 keeps it', () => {
  expect(verdictOn(node('div', [LINE]))).toMatchObject({ rule: 2, verdict: { action: 'divide' } });
  expect(verdictOn(node('div', [WORDS]))).toMatchObject({ rule: 4, verdict: { action: 'keep' } });
});

test('rule 3: divides the root of the block, and no other node like it', () => {
  expect(verdictOn(node('div', [WORDS, SPAN]), { onlyRoot: true })).toMatchObject({ rule: 3 });
  expect(verdictOn(node('div', [WORDS, SPAN]), { onlyRoot: false })).toMatchObject({ rule: 4 });
});

test('rule 4: text beside virtual text in one font => whole, 10', () => {
  expect(verdictOn(node('div', [WORDS, SPAN]))).toEqual({ rule: 4, verdict: { action: 'keep', doc: 10 } });
});

test('rule 4: text beside bold text => whole, 9', () => {
  const bold = node('b', [text('bold', 50, 0, 40, 20)], [50, 0, 40, 20], { fontWeight: 700 });
  expect(verdictOn(node('div', [WORDS, bold]))).toEqual({ rule: 4, verdict: { action: 'keep', doc: 9 } });
});

test('rule 4: text beside a picture is not all text', () => {
  expect(verdictOn(node('div', [WORDS, node('img', [], [50, 0, 40, 20])])).rule).not.toBe(4);
});

test('rule 5: a line-break child divides an inline node or a P, not a DIV', () => {
  expect(verdictOn(node('span', [WORDS, LINE]))).toMatchObject({ rule: 5, verdict: { action: 'divide' } });
  expect(verdictOn(node('p', [WORDS, LINE]))).toMatchObject({ rule: 5, verdict: { action: 'divide' } });
  expect(verdictOn(node('div', [WORDS, LINE])).rule).not.toBe(5);
});

test('rule 6: an HR among the children, in a wrapper too => divide', () => {
  const ruler = node('hr', [], [0, 60, 90, 2]);
  expect(verdictOn(node('div', [LINE, ruler]))).toMatchObject({ rule: 6, verdict: { action: 'divide' } });
  expect(verdictOn(node('div', [LINE, node('div', [ruler], [0, 60, 90, 2])]))).toMatchObject({ rule: 6 });
});

test('rule 7: children larger than the node => divide', () => {
  expect(verdictOn(node('div', [BIG, LINE]))).toMatchObject({ rule: 7, verdict: { action: 'divide' } });
});

test('rule 8: every child on another background stays whole, not the first only', () => {
  const red = node('td', [WORDS], [0, 0, 30, 100], { background: '#ff0000' });
  const plain = node('td', [WORDS], [30, 0, 30, 100]);
  const blue = node('td', [WORDS], [60, 0, 30, 100], { background: '#0000ff' });
  expect(verdictOn(node('tr', [red, plain, blue]))).toEqual({
    rule: 8,
    verdict: { action: 'divide', pinned: [2, 6] },
  });
});

test('rule 9: small and with a text child => whole; the same over the threshold => divided by rule 12', () => {
  const mixed = node('div', [WORDS, LINE]);
  expect(verdictOn(mixed, { threshold: 0.05 })).toEqual({ rule: 9, verdict: { action: 'keep', doc: 6 } });
  expect(verdictOn(mixed, { threshold: 0.001 })).toMatchObject({ rule: 12, verdict: { action: 'divide' } });
});

test('rule 10: only small children => whole, the smaller the more coherent', () => {
  expect(verdictOn(node('div', [LINE, OTHER_LINE]))).toEqual({
    rule: 10,
    verdict: { action: 'keep', doc: 8 },
  });
  expect(verdictOn(node('div', [LINE, OTHER_LINE], [0, 0, 600, 1000]))).toEqual({
    rule: 10,
    verdict: { action: 'keep', doc: 3 },
  });
});

test('rule 10: one large child => the later rules are asked', () => {
  const children = [BIG, LINE];
  const large: Box = [0, 0, 400, 400];
  expect(verdictOn(node('div', children, large))).toMatchObject({ rule: 12, verdict: { action: 'divide' } });
  expect(verdictOn(node('td', children, large))).toMatchObject({ rule: 13, verdict: { action: 'keep' } });
  expect(verdictOn(node('td', children, large), { previousSiblingDivided: false })).toMatchObject({
    rule: 11,
  });
  expect(verdictOn(node('td', children, large), { previousSiblingDivided: true })).toMatchObject({
    rule: 13,
  });
});

test('rules go by computed display: a DIV shown as a table cell is judged as a cell', () => {
  const drawn = node('div', [BIG, LINE], [0, 0, 400, 400], { display: 'table-cell' });
  expect(verdictOn(drawn)).toMatchObject({ rule: 13 });
});
