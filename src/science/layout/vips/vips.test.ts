import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Drawn, drawPage, paragraph, text } from '../../../../test/drawn-page.ts';
import type { Segment } from '../../../model/layout.ts';
import type { Box, PageSnapshot, SnapshotNode } from '../../../model/page-snapshot.ts';
import { docOfWeight, vips } from './vips.ts';

const leavesOf = (segment: Segment): Segment[] =>
  segment.segments.length === 0 ? [segment] : segment.segments.flatMap(leavesOf);

/** For each node, the leaves that hold it. */
function holders({ nodes }: PageSnapshot, root: Segment): number[][] {
  const held: number[][] = nodes.map(() => []);
  leavesOf(root).forEach((leaf, i) => {
    for (const node of leaf.nodes) held[node]?.push(i);
  });
  nodes.forEach((node, i) => {
    if (node.parent >= 0) held[i]?.unshift(...(held[node.parent] ?? []));
  });
  return held;
}

/** What each leaf shows: texts and picture addresses, in document order. */
function shown(snapshot: PageSnapshot, permittedDoc: number, threshold = 0.2): string[][] {
  const root = vips({ permittedDoc, threshold }).segment(snapshot);
  const held = holders(snapshot, root);
  return leavesOf(root).map((_, leaf) =>
    snapshot.nodes.flatMap((node, i) => {
      if (held[i]?.[0] !== leaf) return [];
      return node.kind === 'text' ? [node.text] : node.tag === 'img' ? [node.attributes.src ?? ''] : [];
    }),
  );
}

const encloses = (outer: Box, inner: Box) =>
  outer[0] <= inner[0] + 1e-6 &&
  outer[1] <= inner[1] + 1e-6 &&
  outer[0] + outer[2] >= inner[0] + inner[2] - 1e-6 &&
  outer[1] + outer[3] >= inner[1] + inner[3] - 1e-6;

test('header, two columns, footer => four leaves, the columns merged first', () => {
  const block = (name: string, ...box: Box): Drawn => ({
    box,
    children: [
      paragraph(`${name} 1`, box[0], box[1], box[2], 40),
      paragraph(`${name} 2`, box[0], box[1] + 50, box[2], box[3] - 50),
    ],
  });
  const snapshot = drawPage({
    box: [0, 0, 1000, 1000],
    children: [
      block('header', 0, 0, 1000, 100),
      {
        box: [0, 160, 1000, 600],
        children: [block('left', 0, 160, 300, 600), block('main', 310, 160, 690, 600)],
      },
      block('footer', 0, 820, 1000, 180),
    ],
  });
  const root = vips({ threshold: 0.4 }).segment(snapshot);
  expect(root.segments).toHaveLength(3);
  expect(root.segments[1]?.segments.map(({ box }) => box)).toEqual([
    [0, 160, 300, 600],
    [310, 160, 690, 600],
  ]);
  expect(shown(snapshot, 5, 0.4)).toEqual([
    ['header 1', 'header 2'],
    ['left 1', 'left 2'],
    ['main 1', 'main 2'],
    ['footer 1', 'footer 2'],
  ]);
});

test('an empty page, a page of nothing that shows => one leaf with everything', () => {
  expect(vips().segment(drawPage({ box: [0, 0, 100, 100] })).segments).toEqual([]);
  const hidden = drawPage({ box: [0, 0, 100, 100], children: [text('x', 0, 0, 0, 0)] });
  expect(vips().segment(hidden)).toMatchObject({ nodes: [0], segments: [] });
});

test("a fixed bar over the page => a leaf beside the rest, in nobody else's subtree, and no separator is lost", () => {
  const bar: Drawn = {
    box: [0, 0, 1000, 1000],
    style: { position: 'fixed' },
    children: [text('bar', 0, 0, 1000, 1000)],
  };
  const page = (...over: readonly Drawn[]) =>
    drawPage({
      box: [0, 0, 1000, 1000],
      children: [
        paragraph('above', 0, 0, 1000, 400),
        { box: [0, 500, 1000, 500], children: [paragraph('below', 0, 500, 1000, 500), ...over] },
      ],
    });
  expect(shown(page(bar), 5)).toEqual([...shown(page(), 5), ['bar']]);
  expect(vips().segment(page(bar)).doc).toBe(1);
});

test('what is cut or outside the page goes with the content around it', () => {
  const snapshot = drawPage({
    box: [0, 0, 1000, 1000],
    children: [
      paragraph('above', 0, 0, 1000, 400),
      {
        box: [0, 500, 1000, 500],
        children: [text('far', -9999, 0, 10, 10), text('below', 0, 500, 1000, 500)],
      },
    ],
  });
  expect(shown(snapshot, 5)).toEqual([['above'], ['far', 'below']]);
});

test('DoC of separators: the lightest 11, the heaviest 1', () => {
  expect([undefined, -1, 20].map(docOfWeight)).toEqual([11, 11, 1]);
});

/** Arbitrary trees with arbitrary boxes: overlapping, empty, outside the page. */
const wild = fc
  .array(
    fc.record({
      up: fc.nat(30),
      tag: fc.constantFrom('div', 'div', 'p', 'span', 'a', 'img', 'table', 'tr', 'td', 'hr', 'button', 'svg'),
      text: fc.boolean(),
      box: fc.tuple(
        fc.integer({ min: -50, max: 900 }),
        fc.integer({ min: -50, max: 900 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
      ),
      position: fc.constantFrom('static', 'static', 'static', 'static', 'absolute', 'fixed', 'sticky'),
      background: fc.constantFrom(undefined, undefined, '#ffffff', '#ff0000'),
      fontSize: fc.constantFrom(12, 16, 30),
    }),
    { maxLength: 60 },
  )
  .map((specs): PageSnapshot => {
    type Growing = Drawn & { children: Growing[] };
    const body: Growing = { box: [0, 0, 1000, 1000], children: [] };
    const elements = [body];
    specs.forEach(({ up, tag, text: isText, box, position, background, fontSize }, i) => {
      const parent = elements[Math.max(0, elements.length - 1 - up)] ?? body;
      const style = { position, fontSize, ...(background === undefined ? {} : { background }) } as const;
      const drawn: Growing = isText
        ? { text: `t${i}`, box, children: [] }
        : { tag, box, style, children: [] };
      parent.children.push(drawn);
      if (!isText) elements.push(drawn);
    });
    return drawPage(body);
  });

const RUNS = 100;
const permitted = fc.integer({ min: 1, max: 11 });
const isContent = (node: SnapshotNode) => node.kind === 'text' || ['img', 'svg', 'button'].includes(node.tag);

test('any page => leaves partition texts and pictures, boxes enclose, DoC grows downwards, same again', () => {
  fc.assert(
    fc.property(wild, permitted, (snapshot, permittedDoc) => {
      const root = vips({ permittedDoc }).segment(snapshot);
      const held = holders(snapshot, root);
      const parents = new Set(snapshot.nodes.map(({ parent }) => parent));
      const wrong = snapshot.nodes.filter((node, i) => {
        const times = held[i]?.length ?? 0;
        return times > 1 || (times === 0 && isContent(node) && !parents.has(i));
      });
      expect(wrong).toEqual([]);
      const check = (segment: Segment) => {
        expect(segment.doc).toBeGreaterThanOrEqual(1);
        expect(segment.doc).toBeLessThanOrEqual(11);
        expect(segment.nodes).toEqual([...segment.nodes].sort((a, b) => a - b));
        expect(segment.segments.length).not.toBe(1);
        for (const part of segment.segments) {
          expect(part.doc).toBeGreaterThanOrEqual(segment.doc);
          expect(part.nodes.length).toBeGreaterThan(0);
          expect(encloses(segment.box, part.box)).toBe(true);
          check(part);
        }
      };
      check(root);
      expect(vips({ permittedDoc }).segment(snapshot)).toEqual(root);
    }),
    { numRuns: RUNS },
  );
});

/** A page laid out as real pages are: rows and columns with gaps. */
type Plan =
  | { readonly kind: 'text' }
  | { readonly kind: 'image' }
  | {
      readonly kind: 'rows' | 'columns';
      readonly gap: number;
      readonly paint: boolean;
      readonly parts: readonly Plan[];
    };

const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<Plan>({ kind: 'text' }, { kind: 'image' }),
    fc.record({
      kind: fc.constantFrom('rows' as const, 'columns' as const),
      gap: fc.constantFrom(0, 2, 10, 20, 40, 60),
      paint: fc.boolean(),
      parts: fc.array(tie('plan'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

interface Look {
  readonly wrap: boolean;
  readonly grid: boolean;
  readonly className: string;
}

function layOut(page: Plan, { wrap, grid, className }: Look): PageSnapshot {
  let made = 0;
  const place = (part: Plan, box: Box): Drawn => {
    const [x, y, width, height] = box;
    const name = `${part.kind} ${made++}`;
    const attributes = { class: className, src: name };
    if (part.kind === 'text') return around({ box, attributes, children: [wrapText(text(name, ...box))] });
    if (part.kind === 'image') return around({ box, children: [{ tag: 'img', box, attributes }] });
    const count = part.parts.length;
    const along = part.kind === 'rows' ? height : width;
    const size = Math.max(1, (along - part.gap * (count - 1)) / count);
    const children = part.parts.map((inner, i) => {
      const at = i * (size + part.gap);
      return place(inner, part.kind === 'rows' ? [x, y + at, width, size] : [x + at, y, size, height]);
    });
    const background = part.paint ? { background: made % 2 === 0 ? '#ff0000' : '#0000ff' } : {};
    const layout = grid ? { display: 'grid' } : { float: 'left' as const };
    return around({ box, attributes, children, style: { ...background, ...layout } });
  };
  const around = (drawn: Drawn): Drawn =>
    wrap ? { box: drawn.box, children: [{ box: drawn.box, children: [drawn] }] } : drawn;
  const wrapText = (drawn: Drawn): Drawn =>
    wrap ? { tag: 'span', box: drawn.box, children: [drawn] } : drawn;
  return drawPage({ box: [0, 0, 1200, 1600], children: [place(page, [0, 0, 1200, 1600])] });
}

const PLAIN: Look = { wrap: false, grid: false, className: 'a' };

test.each([
  ['added wrapper divs', { ...PLAIN, wrap: true }],
  ['renamed classes', { ...PLAIN, className: 'b' }],
  ['floats turned into a grid of the same geometry', { ...PLAIN, grid: true }],
])('%s => the same leaves', (_, look) => {
  fc.assert(
    fc.property(plan, permitted, (page, permittedDoc) => {
      expect(shown(layOut(page, look), permittedDoc)).toEqual(shown(layOut(page, PLAIN), permittedDoc));
    }),
  );
});

test('50,000 nodes, 2,000 of them deep => every text in one leaf', () => {
  const list: Drawn[] = [];
  for (let i = 0; i < 16_000; i++)
    list.push({
      tag: 'p',
      box: [0, i * 20, 800, 15],
      children: [{ tag: 'a', box: [0, i * 20, 800, 15], children: [text(`t${i}`, 0, i * 20, 800, 15)] }],
    });
  let deep: Drawn = paragraph('deep', 850, 0, 50, 50);
  for (let i = 0; i < 2_000; i++)
    deep = {
      box: [820, 0, 100 + i / 100, 50],
      children: [deep, ...(i % 2 ? [] : [text(`d${i}`, 820, 0, 20, 20)])],
    };
  const snapshot = drawPage({
    box: [0, 0, 1000, 320_000],
    children: [{ box: [0, 0, 800, 320_000], children: list }, deep],
  });
  expect(snapshot.nodes.length).toBeGreaterThan(50_000);
  const root = vips({ permittedDoc: 9 }).segment(snapshot);
  const leaf = new Int32Array(snapshot.nodes.length).fill(-1);
  leavesOf(root).forEach((part, i) => {
    for (const node of part.nodes) leaf[node] = i;
  });
  snapshot.nodes.forEach((node, i) => {
    if (leaf[i] === -1 && node.parent >= 0) leaf[i] = leaf[node.parent] ?? -1;
  });
  expect(snapshot.nodes.filter((node, i) => node.kind === 'text' && leaf[i] === -1)).toEqual([]);
  expect(leavesOf(root).length).toBeGreaterThan(1000);
}, 60_000);
