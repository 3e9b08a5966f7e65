import type { Segment } from '../src/model/layout.ts';
import type { Box, PageSnapshot, SnapshotNode, SnapshotStyle } from '../src/model/page-snapshot.ts';

/** Small snapshots written as trees, for tests: `page(div({}, p({}, 'Hello ', a({ href: '/x' }, 'world'))))`. */

export interface TinyElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly box: Box;
  readonly display: string;
  readonly children: readonly (TinyElement | string)[];
}

const INLINE = new Set(['a', 'b', 'i', 'em', 'span', 'img', 'br', 'svg', 'button', 'input', 'path']);

interface Look {
  readonly box?: Box;
  readonly display?: string;
}

/** Attributes, besides `box` and `display`, which place it. */
export type TinyAttributes = Look & Readonly<Record<string, string | Box | undefined>>;

export function element(
  tag: string,
  look: TinyAttributes,
  ...children: readonly (TinyElement | string)[]
): TinyElement {
  const { box = [0, 0, 100, 20], display = INLINE.has(tag) ? 'inline' : 'block', ...attributes } = look;
  return { tag, attributes: attributes as Record<string, string>, box, display, children };
}

const plain: Omit<SnapshotStyle, 'display'> = {
  position: 'static',
  float: 'none',
  background: '#ffffff',
  paints: false,
  backgroundImage: false,
  color: '#000000',
  fontSize: 16,
  fontWeight: 400,
  fontFamily: 'serif',
  borders: [false, false, false, false],
};

export function page(body: TinyElement, url = 'https://news.test/'): PageSnapshot {
  const styles: SnapshotStyle[] = [];
  const nodes: SnapshotNode[] = [];
  const stack: { item: TinyElement | string; parent: number; box: Box }[] = [
    { item: body, parent: -1, box: body.box },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { item, parent, box } = next;
    const index = nodes.length;
    if (typeof item === 'string') {
      nodes.push({ kind: 'text', parent, box, text: item });
      continue;
    }
    let style = styles.findIndex((known) => known.display === item.display);
    if (style < 0) style = styles.push({ ...plain, display: item.display }) - 1;
    nodes.push({ kind: 'element', parent, box: item.box, tag: item.tag, style, attributes: item.attributes });
    for (const child of item.children.toReversed()) stack.push({ item: child, parent: index, box: item.box });
  }
  const [, , width, height] = body.box;
  return {
    format: 1,
    url,
    title: 'Tiny',
    language: 'en',
    viewport: { width: 1280, height: 1024 },
    page: { width, height },
    styles,
    nodes,
    facts: [],
  };
}

/** Segments by the ids of their elements: `'top'` is a leaf, `['top', 'left']` has those two as children. */
export type TinyCut = string | readonly TinyCut[];

export function cut(snapshot: PageSnapshot, tree: TinyCut): Segment {
  if (typeof tree !== 'string') {
    const segments = tree.map((child) => cut(snapshot, child));
    return { box: [0, 0, snapshot.page.width, snapshot.page.height], doc: 5, nodes: [0], segments };
  }
  const index = snapshot.nodes.findIndex((node) => node.kind === 'element' && node.attributes.id === tree);
  const node = snapshot.nodes[index];
  if (!node) throw new RangeError(`the page has no element with the id '${tree}'`);
  return { box: node.box, doc: 9, nodes: [index], segments: [] };
}

/** The whole page as one leaf. */
export const uncut = (snapshot: PageSnapshot): Segment => ({
  box: [0, 0, snapshot.page.width, snapshot.page.height],
  doc: 5,
  nodes: snapshot.nodes.length > 0 ? [0] : [],
  segments: [],
});
