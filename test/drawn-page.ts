/**
 * Snapshots and cuts written by hand, for tests. A page is a tree of boxes (`drawPage({ box, children })`) or of
 * elements (`page(element('p', {}, 'Hello ', element('a', { href: '/x' }, 'world')))`).
 */
import type { Segment } from '../src/model/layout.ts';
import type { Box, PageSnapshot, SnapshotNode, SnapshotStyle } from '../src/model/page-snapshot.ts';

export interface Drawn {
  readonly tag?: string;
  readonly box: Box;
  readonly style?: Partial<SnapshotStyle>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** A string is a text that fills the box. */
  readonly children?: readonly (Drawn | string)[];
  /** Makes it a text node; tag, style and children do not count. */
  readonly text?: string;
}

const INLINE = new Set(['a', 'b', 'i', 'em', 'span', 'img', 'br', 'svg', 'button', 'input', 'path']);
const DISPLAYS: Readonly<Record<string, string>> = {
  table: 'table',
  tbody: 'table-row-group',
  tr: 'table-row',
  td: 'table-cell',
};

const BASE: SnapshotStyle = {
  display: 'block',
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

/** Backgrounds and fonts are inherited, as a browser resolves them. Iterative: pages may be deep. */
export function drawPage(body: Drawn, head: Partial<PageSnapshot> = {}): PageSnapshot {
  const styles: SnapshotStyle[] = [];
  const indices = new Map<string, number>();
  const nodes: SnapshotNode[] = [];
  const stack: { drawn: Drawn; parent: number; around: SnapshotStyle }[] = [
    { drawn: { tag: 'body', ...body }, parent: -1, around: BASE },
  ];
  let [width, height] = [0, 0];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { drawn, parent, around } = next;
    const { box, tag = 'div', text } = drawn;
    width = Math.max(width, box[0] + box[2]);
    height = Math.max(height, box[1] + box[3]);
    if (text !== undefined) {
      nodes.push({ kind: 'text', parent, box, text });
      continue;
    }
    const { background, color, fontSize, fontWeight, fontFamily } = around;
    const display = DISPLAYS[tag] ?? (INLINE.has(tag) ? 'inline' : 'block');
    const paints = drawn.style?.background !== undefined;
    const inherited = { background, color, fontSize, fontWeight, fontFamily };
    const style = { ...BASE, ...inherited, display, paints, ...drawn.style };
    const key = JSON.stringify(style);
    const index = indices.get(key) ?? styles.push(style) - 1;
    indices.set(key, index);
    const at = nodes.push({
      kind: 'element',
      parent,
      box,
      tag,
      style: index,
      attributes: drawn.attributes ?? {},
    });
    for (const child of (drawn.children ?? []).toReversed()) {
      const inside = typeof child === 'string' ? { text: child, box } : child;
      stack.push({ drawn: inside, parent: at - 1, around: style });
    }
  }
  return {
    format: 1,
    url: 'http://drawn.test/',
    title: '',
    language: '',
    viewport: { width: 1280, height: 1024 },
    page: { width: Math.max(width, 1), height: Math.max(height, 1) },
    styles,
    nodes,
    facts: [],
    ...head,
  };
}

/** Attributes, besides `box` and `display`, which place it. */
type ElementLook = {
  readonly box?: Box;
  readonly display?: string;
} & Readonly<Record<string, string | Box | undefined>>;

export function element(tag: string, look: ElementLook, ...children: readonly (Drawn | string)[]): Drawn {
  const { box = [0, 0, 100, 20], display, ...attributes } = look;
  const style = display === undefined ? {} : { style: { display } };
  return { tag, box, attributes: attributes as Record<string, string>, children, ...style };
}

export const page = (body: Drawn, url = 'https://news.test/'): PageSnapshot =>
  drawPage(body, { url, title: 'Tiny', language: 'en' });

export function text(words: string, ...box: Box): Drawn {
  return { text: words, box };
}

/** A paragraph-like DIV that one text fills. */
export function paragraph(words: string, ...box: Box): Drawn {
  return { box, children: [text(words, ...box)] };
}

export function indexOfText({ nodes }: PageSnapshot, words: string): number {
  return nodes.findIndex((node) => node.kind === 'text' && node.text === words);
}

/** Segments by the ids of their elements: `'top'` is a leaf, `['top', 'left']` has those two as children. */
export type CutById = string | readonly CutById[];

export function cut(snapshot: PageSnapshot, tree: CutById): Segment {
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
