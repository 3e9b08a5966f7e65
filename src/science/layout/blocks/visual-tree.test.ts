import { describe, expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph, text } from '../../../../test/drawn-page.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { type VisualTree, visualTree } from './visual-tree.ts';

/** The tree as nested lists of texts and tags. */
function shape({ parts, snapshot }: VisualTree, index = 0): unknown {
  const { children, shells, nodes } = parts[index] as VisualTree['parts'][number];
  if (children.length > 0) return children.map((child) => shape({ parts, snapshot } as VisualTree, child));
  const node = snapshot.nodes[(shells.at(-1) ?? nodes[0]) as number];
  return node?.kind === 'text' ? node.text : node?.tag;
}

const page = (...children: Drawn[]): PageSnapshot => drawPage({ box: [0, 0, 100, 100], children });
const div = (...children: Drawn[]): Drawn => ({ box: [0, 0, 100, 20], children });

describe('visual tree', () => {
  test('wrappers vanish: div > div > (a, b) => (a, b)', () => {
    const inside = [paragraph('a', 0, 0, 50, 10), paragraph('b', 0, 10, 50, 10)];
    expect(shape(visualTree(page(div(div(...inside)))))).toEqual(['a', 'b']);
  });

  test('inline neighbours form one part between blocks', () => {
    const link: Drawn = { tag: 'a', box: [10, 0, 10, 10], children: [text('link', 10, 0, 10, 10)] };
    const tree = visualTree(page(text('see', 0, 0, 10, 10), link, paragraph('below', 0, 10, 50, 10)));
    expect(shape(tree)).toEqual([['see', 'link'], 'below']);
  });

  test('an inline element around a block breaks the line', () => {
    const font: Drawn = { tag: 'span', box: [0, 0, 50, 10], children: [paragraph('in font', 0, 0, 50, 10)] };
    expect(shape(visualTree(page(text('see', 0, 0, 10, 10), font)))).toEqual(['see', 'in font']);
  });

  test('what does not show stays with the part before it, or with the first', () => {
    const empty = (y: number): Drawn => ({ box: [0, y, 100, 5] });
    const tree = visualTree(
      page(empty(0), paragraph('a', 0, 5, 50, 5), empty(10), paragraph('b', 0, 15, 50, 5)),
    );
    expect(tree.parts.slice(1).map(({ nodes }) => nodes)).toEqual([[1, 2, 4], [5]]);
  });

  test('fixed and sticky elements stand apart, also one in another', () => {
    const inner: Drawn = {
      box: [0, 0, 20, 10],
      style: { position: 'sticky' },
      children: [text('inner', 0, 0, 20, 10)],
    };
    const bar: Drawn = {
      box: [0, 0, 100, 10],
      style: { position: 'fixed' },
      children: [text('bar', 0, 0, 40, 10), inner],
    };
    const tree = visualTree(page(div(paragraph('a', 0, 20, 50, 5), bar), paragraph('b', 0, 30, 50, 5)));
    expect(shape(tree)).toEqual(['a', 'b']);
    expect(tree.overlays.map((overlay) => shape(tree, overlay))).toEqual(['bar', 'inner']);
  });

  test('a page on which nothing shows => one part; no nodes => none', () => {
    expect(visualTree(page(div())).parts).toHaveLength(1);
    expect(visualTree({ ...page(), nodes: [] }).parts).toHaveLength(0);
  });
});
