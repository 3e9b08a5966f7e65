/** Hand-made snapshots for tests: a page is written as a tree of boxes, and texts that fill theirs. */
import type { Box, PageSnapshot, SnapshotNode, SnapshotStyle } from '../../../model/page-snapshot.ts';

export interface Drawn {
  readonly tag?: string;
  readonly box: Box;
  readonly style?: Partial<SnapshotStyle>;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Drawn[];
  /** Makes it a text node; tag, style and children do not count. */
  readonly text?: string;
}

const INLINE = new Set(['span', 'a', 'b', 'em', 'img']);
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
export function drawPage(body: Drawn): PageSnapshot {
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
      stack.push({ drawn: child, parent: at - 1, around: style });
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
  };
}

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
