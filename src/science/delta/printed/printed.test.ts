import { describe, expect, test } from 'vitest';
import { image, type LeafSketch, layout, link, text } from '../../../../test/small-layout.ts';
import { diffLayouts } from '../diff-layouts.ts';
import { type PrintedFormula, printedImportance } from './printed-importance.ts';
import { printedTextDistance, viDiff2009 } from './vi-diff-2009.ts';

const E = (before: readonly LeafSketch[], after: readonly LeafSketch[], formula: PrintedFormula): number =>
  printedImportance(diffLayouts(layout(before), layout(after, 'v2')), formula);

const some = <T>(count: number, make: (name: string) => T, prefix = 'x'): T[] =>
  Array.from({ length: count }, (_, i) => make(`${prefix}${i}`));

const REST = { texts: [text('a paragraph that nobody touched')] };

describe('E as printed', () => {
  test('IWAW 2009 §6: a text updated (0.1), 4 links beside 2 (0.4), 2 of 4 images deleted (0.2) => 0.4467', () => {
    const before = [
      { importance: 0.1, texts: [text('one two three four')] },
      { importance: 0.4, links: some(2, (name) => link(name)) },
      { importance: 0.2, images: some(4, (name) => image(name)) },
      REST,
    ];
    const after = [
      { importance: 0.1, texts: [text('one two three five')] },
      { importance: 0.4, links: some(6, (name) => link(name)) },
      { importance: 0.2, images: some(2, (name) => image(name)) },
      REST,
    ];
    expect(E(before, after, 'paper-2009')).toBeCloseTo(0.1 + 0.4 * (4 / 6) + 0.2 * 0.8 * (2 / 4), 12);
  });

  test('IJDL 2012 Example 3: 2 of 10 links deleted, 1 of 1 image updated (0.3) => 0.348; the formula of 2009 0.087', () => {
    const before = [{ importance: 0.3, links: some(10, (name) => link(name)), images: [image('a')] }, REST];
    const after = [
      {
        importance: 0.3,
        links: some(8, (name) => link(name)),
        images: [image('a', 'https://a.example/b.png')],
      },
      REST,
    ];
    expect(E(before, after, 'paper-2012')).toBeCloseTo(0.348, 12);
    // 1/N_op and 1/N_el, both 1/2.
    expect(E(before, after, 'paper-2009')).toBeCloseTo(0.348 / 4, 12);
  });

  test('all text replaced, then a link inserted as well => less by the formula of 2009: why ours departs from it', () => {
    const all = [{ links: some(10, (name) => link(name)), texts: [text('a b c d')] }];
    const rewritten = [{ links: some(10, (name) => link(name)), texts: [text('a b c e')] }];
    const andLink = [{ links: some(11, (name) => link(name)), texts: [text('a b c e')] }];
    expect(E(all, andLink, 'paper-2009')).toBeLessThan(E(all, rewritten, 'paper-2009'));
  });
});

/** `op element old>new`, by name or words. */
const told = (before: readonly LeafSketch[], after: readonly LeafSketch[]): string[] =>
  viDiff2009(layout(before), layout(after, 'v2')).operations.map(({ op, element, pair, old, new: now }) => {
    const name = (value: typeof old): string => (!value ? '' : 'text' in value ? value.text : value.name);
    return `${op} ${element} ${name(old)}>${name(now)} in ${pair + 1}`;
  });

describe('Vi-DIFF as printed', () => {
  test('IWAW 2009 Example 1, Fig. 4 => Link2 inserted, Img1 deleted, TextA became TextB, Link21 moved from B2 to B3', () => {
    const before = [
      { links: [link('Link1')], images: [image('Img1')] },
      { links: [link('Link21')] },
      { texts: [text('one two three TextA')] },
    ];
    const after = [
      { links: [link('Link1'), link('Link2')] },
      {},
      { links: [link('Link21')], texts: [text('one two three TextB')] },
    ];
    expect(told(before, after).sort()).toEqual([
      'delete image Img1> in 1',
      'insert link >Link2 in 1',
      'move link Link21>Link21 in 3',
      'update text one two three TextA>one two three TextB in 3',
    ]);
  });

  test('the same name at another address => an update; the same address under another name => gone and come', () => {
    expect(
      told([{ links: [link('a', 'https://a.example/1')] }], [{ links: [link('a', 'https://a.example/2')] }]),
    ).toEqual(['update link a>a in 1']);
    expect(
      told([{ links: [link('a', 'https://a.example/1')] }], [{ links: [link('b', 'https://a.example/1')] }]),
    ).toEqual(['delete link a> in 1', 'insert link >b in 1']);
  });

  test('a block before the others => every block is compared with the wrong one: the fixed structure it assumes', () => {
    const page = some(3, (name) => ({ texts: [text(`${name} of the page that was there`)] }));
    const ours = diffLayouts(layout(page), layout([{ texts: [text('new')] }, ...page], 'v2'));
    expect(ours.operations).toHaveLength(1);
    expect(told(page, [{ texts: [text('new')] }, ...page]).length).toBeGreaterThan(3);
  });

  test('one word of four replaced => 0.25; of ten words added to two => 5', () => {
    expect(printedTextDistance('a b c d', 'a b c e')).toBe(0.25);
    expect(printedTextDistance('a b', `a b ${some(10, (word) => word).join(' ')}`)).toBe(5);
  });
});
