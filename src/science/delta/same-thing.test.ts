/** What counts as the same picture, link or text, and what as a move: decisions/0037. */
import { describe, expect, test } from 'vitest';
import { image, type LeafSketch, layout, link, text } from '../../../test/small-layout.ts';
import { brokenChecks } from '../../lab/deltas/check-pair.ts';
import type { Delta } from '../../model/delta.ts';
import type { ImageElement, Layout } from '../../model/layout.ts';
import { describeOperation } from './apply-delta.ts';
import { changeImportance } from './change-importance.ts';
import { diffLayouts } from './diff-layouts.ts';

/** Compares two layouts, and also applies, inverts and writes each delta. */
function compared(old: Layout, now: Layout): Delta {
  const delta = diffLayouts(old, now);
  expect(brokenChecks({ old, now, delta })).toEqual([]);
  return delta;
}
const diff = (before: readonly LeafSketch[], after: readonly LeafSketch[]): Delta =>
  compared(layout(before), layout(after, 'v2'));
const told = (before: readonly LeafSketch[], after: readonly LeafSketch[]): string[] =>
  diff(before, after).operations.map(describeOperation);

const MENU = ['Home', 'News', 'Sport', 'Culture'].map((name) => link(name));
const PARAGRAPHS = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) =>
  text(`${word} of the paragraphs that stay`),
);
const lazy = (name: string, behind: string, shown = 'https://a.example/blank.gif'): ImageElement => ({
  ...image(name, shown),
  candidates: behind,
});

describe('pictures', () => {
  test('another size of the srcset is shown => the same picture, importance 0', () => {
    const small = lazy('Harbour', 'https://a.example/h-320.jpg', 'https://a.example/h-640.jpg');
    const large = lazy('Harbour', 'https://a.example/h-320.jpg', 'https://a.example/h-1280.jpg');
    const delta = diff([{ links: MENU, images: [small] }], [{ links: MENU, images: [large] }]);
    expect(delta.operations).toEqual([]);
    expect(changeImportance(delta).importance).toBe(0);
  });

  test('other pictures behind one placeholder => deleted and inserted, not changed', () => {
    const blanks = (names: readonly string[]) =>
      names.map((name) => image(name, 'https://a.example/blank.gif'));
    const found = told(
      [{ links: MENU, images: blanks(['a', 'b', 'c', 'd']) }],
      [{ links: MENU, images: blanks(['e', 'f', 'g', 'h']) }],
    );
    expect(found.filter((words) => words.startsWith('update'))).toEqual([]);
    expect(found).toHaveLength(8);
  });
});

describe('links', () => {
  const teaser = (name: string): LeafSketch => ({
    links: [link(name), link('Read more', `https://a.example/${name}`)],
    texts: [text(`${name}ly ${name}ish ${name}ness`)],
  });

  test('a teaser replaced by another that also says "Read more" => nothing is updated', () => {
    const rest = ['Frost', 'Elections', 'Harbour'].map(teaser);
    const found = told([teaser('Snowfall'), ...rest], [teaser('Strike'), ...rest]);
    expect(found.filter((words) => words.startsWith('update'))).toEqual([]);
  });

  test('"Read more" alone between the same neighbours leads elsewhere => update', () => {
    const rows = (address: string) => [
      {
        links: [
          link('A'),
          link('Read more', '/a'),
          link('B'),
          link('Read more', address),
          link('C'),
          link('Read more', '/c'),
        ],
      },
    ];
    expect(told(rows('/b'), rows('/other'))).toEqual(['update link from B1.1 to B1.1']);
  });

  test('an address that comes in another block with another name => moved, not new', () => {
    const found = told(
      [
        { links: [...MENU, link('1. Storm', '/storm')] },
        { texts: PARAGRAPHS },
        { links: [link('X'), link('Y')] },
      ],
      [{ links: MENU }, { texts: PARAGRAPHS }, { links: [link('X'), link('2. Storm', '/storm'), link('Y')] }],
    );
    expect(found).toEqual(['move link from B1.1 to B1.3']);
  });
});

describe('moves', () => {
  test('the last of a block is now the first of the next => it has passed nothing, no move', () => {
    const [a, b, c, d, e, f] = PARAGRAPHS as [never, never, never, never, never, never];
    expect(
      told([{ texts: [a, b, c] }, { texts: [d, e, f] }], [{ texts: [a, b] }, { texts: [c, d, e, f] }]),
    ).toEqual([]);
  });

  test('the first of a block is now the last of the next => moved', () => {
    const [a, b, c, d, e, f] = PARAGRAPHS as [never, never, never, never, never, never];
    expect(
      told([{ texts: [a, b, c] }, { texts: [d, e, f] }], [{ texts: [b, c] }, { texts: [d, e, f, a] }]),
    ).toEqual(['move text from B1.1 to B1.2']);
  });

  test('"5 Min" gone here and come there, of two on the page => no move', () => {
    const [a, b, c, d, e, f] = PARAGRAPHS as [never, never, never, never, never, never];
    const label = text('5 Min');
    const found = told(
      [{ texts: [label, a, b, c] }, { texts: [d, e, f, label] }, { texts: [text('a closing remark')] }],
      [{ texts: [a, b, c] }, { texts: [label, d, e, f, label] }, { texts: [text('a closing remark')] }],
    );
    expect(found).toEqual([]);
  });
});

test('the same page in a window of another size => no operations', () => {
  const old = layout([{ links: MENU }, { texts: PARAGRAPHS }]);
  const wide = layout([{ links: MENU }, { texts: PARAGRAPHS }], 'v2');
  const [menu, body] = wide.root.blocks as [Layout['root'], Layout['root']];
  const now: Layout = {
    ...wide,
    viewport: { width: 1366, height: 768 },
    root: { ...wide.root, blocks: [menu, { ...body, box: [0, 100, 1300, 80] }] },
  };
  expect(compared(old, { ...now, viewport: old.viewport }).operations).toHaveLength(1);
  expect(compared(old, now).operations).toEqual([]);
});
