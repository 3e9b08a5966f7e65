import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Drawn, drawPage, indexOfText, paragraph, text } from '../../../../test/drawn-page.ts';
import { addWrappers, floatsToGrid, renameClasses } from '../../../../test/rewritten-page.ts';
import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot, SnapshotNode } from '../../../model/page-snapshot.ts';
import { blocks } from './index.ts';

function leaves(root: Segment): Segment[] {
  const found: Segment[] = [];
  const open = [root];
  for (let segment = open.pop(); segment !== undefined; segment = open.pop()) {
    if (segment.segments.length === 0) found.push(segment);
    open.push(...segment.segments);
  }
  return found;
}

/** Texts of a segment's nodes, in document order. */
function textsOf({ nodes }: PageSnapshot, segment: Segment): string[] {
  const inside = new Set(segment.nodes);
  const texts: string[] = [];
  nodes.forEach((node, i) => {
    if (inside.has(node.parent)) inside.add(i);
    if (inside.has(i) && node.kind === 'text') texts.push(node.text);
  });
  return texts;
}

const coarse = (page: PageSnapshot): string[][] => blocks.segment(page).segments.map((s) => textsOf(page, s));
const fine = (page: PageSnapshot): string[][] =>
  leaves(blocks.segment(page))
    .map((leaf) => textsOf(page, leaf))
    .sort();

/** Rows of columns of paragraphs; each text is its own name. */
const generated: fc.Arbitrary<PageSnapshot> = fc
  .array(
    fc.record({
      height: fc.integer({ min: 20, max: 900 }),
      columns: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
      painted: fc.boolean(),
      float: fc.boolean(),
      fixed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) => {
    let y = 0;
    let name = 0;
    const children = rows.map(({ height, columns, painted, float, fixed }): Drawn => {
      const width = 1280 / columns.length;
      const cells = columns.map((lines, column): Drawn => {
        const step = height / lines;
        const texts = Array.from({ length: lines }, (_, i) =>
          paragraph(
            `text ${name++} `.repeat(1 + (name % 7)),
            column * width,
            y + i * step,
            width * 0.9,
            step * 0.8,
          ),
        );
        const style = { float: float ? ('left' as const) : ('none' as const), fontSize: 12 + (name % 3) * 4 };
        return { box: [column * width, y, width, height], style, children: texts };
      });
      const style = {
        ...(painted ? { background: '#dddddd' } : {}),
        ...(fixed && name % 3 === 0 ? { position: 'fixed' as const } : {}),
      };
      const row: Drawn = { box: [0, y, 1280, height], style, children: cells };
      y += height + 10;
      return row;
    });
    return drawPage({ box: [0, 0, 1280, y], children });
  });

const SEED = fc.integer({ min: 1, max: 1_000_000 });

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

describe('blocks', () => {
  test('header, two columns and footer => blocks of their own; a close list stays whole', () => {
    const items = [0, 1, 2, 3].map((i) => paragraph(`item ${i}`, 0, 110 + i * 20, 150, 18));
    const page = drawPage({
      box: [0, 0, 1280, 1400],
      children: [
        { tag: 'header', box: [0, 0, 1280, 100], children: [text('Title', 0, 0, 1280, 100)] },
        {
          box: [0, 110, 1280, 1100],
          children: [
            { box: [0, 110, 200, 1100], style: { background: '#eeeeee' }, children: items },
            { box: [300, 110, 980, 1100], children: [text('Prose '.repeat(400), 300, 110, 980, 1100)] },
          ],
        },
        { tag: 'footer', box: [0, 1300, 1280, 100], children: [text('Imprint', 0, 1300, 1280, 100)] },
      ],
    });
    const cut = fine(page);
    expect(cut).toContainEqual(['Title']);
    expect(cut).toContainEqual(['Imprint']);
    expect(cut).toContainEqual(['item 0', 'item 1', 'item 2', 'item 3']);
  });

  test('each text lies in one coarse and one fine block, and children share out their parent', () => {
    fc.assert(
      fc.property(generated, (page) => {
        const all = page.nodes.flatMap((node) => (node.kind === 'text' ? [node.text] : [])).sort();
        expect(coarse(page).flat().sort()).toEqual(all);
        expect(fine(page).flat().sort()).toEqual(all);
        const check = (segment: Segment): void => {
          if (segment.segments.length === 0) return;
          const parts = segment.segments.flatMap((child) => textsOf(page, child)).sort();
          expect(parts).toEqual(textsOf(page, segment).sort());
          for (const child of segment.segments) {
            expect(child.doc).toBeGreaterThanOrEqual(segment.doc);
            expect(child.doc).toBeLessThanOrEqual(11);
            check(child);
          }
        };
        check(blocks.segment(page));
      }),
    );
  });

  test('added wrappers, renamed classes, floats made a grid => the same blocks', () => {
    fc.assert(
      fc.property(generated, SEED, (page, seed) => {
        for (const other of [addWrappers(page, generator(seed)), renameClasses(page), floatsToGrid(page)]) {
          expect(coarse(other)).toEqual(coarse(page));
          expect(fine(other)).toEqual(fine(page));
        }
      }),
    );
  });

  test('a fixed bar inside a column => a coarse block of its own, once', () => {
    const bar: Drawn = {
      box: [0, 0, 1280, 40],
      style: { position: 'fixed' },
      children: [paragraph('bar', 0, 0, 100, 40)],
    };
    const column: Drawn = { box: [0, 0, 1280, 900], children: [paragraph('one', 0, 50, 1280, 800), bar] };
    const page = drawPage({
      box: [0, 0, 1280, 1000],
      children: [column, paragraph('two', 0, 900, 1280, 100)],
    });
    const cut = coarse(page);
    expect(cut.at(-1)).toEqual(['bar']);
    expect(cut.flat().filter((words) => words === 'bar')).toHaveLength(1);
    expect(blocks.segment(page).segments.at(-1)?.nodes).toEqual([indexOfText(page, 'bar') - 2]);
  });

  test('an empty page => one block; no nodes => an empty page', () => {
    const empty = drawPage({ box: [0, 0, 1280, 0] });
    expect(blocks.segment(empty).segments.map(({ nodes }) => nodes)).toEqual([[0]]);
    expect(blocks.segment({ ...empty, nodes: [] }).segments).toEqual([]);
  });

  test('50,000 nodes, 2,000 deep => all texts in leaves, no overflow', () => {
    const styles = drawPage({ box: [0, 0, 1, 1] }).styles;
    const nodes: SnapshotNode[] = [];
    let parent = -1;
    for (let depth = 0; nodes.length < 50_000; depth++) {
      const y = depth * 24;
      const tag = depth === 0 ? 'body' : 'div';
      const at =
        nodes.push({
          kind: 'element',
          parent,
          tag,
          box: [0, y, 1280, 48_000 - y],
          style: 0,
          attributes: {},
        }) - 1;
      for (let i = 0; i < 12; i++) {
        const box: SnapshotNode['box'] = [i * 100, y, 90, 20];
        const cell =
          nodes.push({ kind: 'element', parent: at, tag: 'div', box, style: 0, attributes: {} }) - 1;
        nodes.push({ kind: 'text', parent: cell, box, text: `${at} ${i}` });
      }
      if (depth < 2000) parent = at;
    }
    const page = { ...drawPage({ box: [0, 0, 1280, 48_000] }), styles, nodes };
    const texts = nodes.filter((node) => node.kind === 'text').length;
    const cut = leaves(blocks.segment(page));
    const inLeaves = new Set(cut.flatMap(({ nodes: members }) => members));
    const covered = new Uint8Array(nodes.length);
    let found = 0;
    nodes.forEach((node, i) => {
      covered[i] = inLeaves.has(i) || (node.parent >= 0 && covered[node.parent] === 1) ? 1 : 0;
      if (node.kind === 'text') found += covered[i] as number;
    });
    expect(found).toBe(texts);
  });
});
