/**
 * The items on which segmentations of a page are compared: texts, and elements that show by themselves. After
 * Kiesel et al. 2020, "Web page segmentation revisited", §3: the same comparison, weighted by what a use cares about.
 *
 * Departure: their edges are those of a Canny filter over a screenshot. A snapshot has no picture, so `edges`
 * estimates them: a glyph's outline is about twice its font size, a picture's is its frame.
 */
import type {
  PageSnapshot,
  SnapshotElement,
  SnapshotNode,
  SnapshotStyle,
} from '../../model/page-snapshot.ts';

export const WEIGHTINGS = ['characters', 'nodes', 'pixels', 'edges'] as const;
export type Weighting = (typeof WEIGHTINGS)[number];

export interface Atoms {
  /** Indices in the snapshot's nodes. */
  readonly nodes: readonly number[];
  readonly weights: Readonly<Record<Weighting, readonly number[]>>;
}

/** Elements that show something without children. Other empty ones that draw nothing only take up space. */
const REPLACED = /^(?:img|input|select|textarea|button|video|audio|object|embed|iframe|canvas|svg|hr)$/u;

function shows({ tag, style }: SnapshotElement, styles: PageSnapshot['styles']): boolean {
  const { paints, backgroundImage, borders } = styles[style] as SnapshotStyle;
  return REPLACED.test(tag) || paints || backgroundImage || borders.some(Boolean);
}

export function atomsOf({ nodes, styles }: PageSnapshot): Atoms {
  const hasChild = new Uint8Array(nodes.length);
  for (const { parent } of nodes) if (parent >= 0) hasChild[parent] = 1;
  const atoms: number[] = [];
  const characters: number[] = [];
  const pixels: number[] = [];
  const edges: number[] = [];
  nodes.forEach((node, i) => {
    const [, , width, height] = node.box;
    if (hasChild[i] === 1 || width <= 0 || height <= 0 || (node.kind === 'element' && !shows(node, styles)))
      return;
    const length = node.kind === 'text' ? node.text.replace(/\s+/gu, '').length : 0;
    const parent = nodes[node.parent] as SnapshotNode | undefined;
    const fontSize = parent?.kind === 'element' ? (styles[parent.style]?.fontSize ?? 16) : 16;
    atoms.push(i);
    characters.push(length);
    pixels.push(width * height);
    edges.push(node.kind === 'text' ? length * 2 * fontSize : 2 * (width + height));
  });
  return { nodes: atoms, weights: { characters, nodes: atoms.map(() => 1), pixels, edges } };
}
