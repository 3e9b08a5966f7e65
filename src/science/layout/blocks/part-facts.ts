/** What each part of a page holds and how it looks, summed bottom-up over the tree. Linear. */
import type {
  Box,
  SnapshotElement,
  SnapshotNode,
  SnapshotStyle,
  SnapshotText,
} from '../../../model/page-snapshot.ts';
import { draws, isAtom, type VisualPart, type VisualTree } from './visual-tree.ts';

export interface PartFacts {
  /** Characters without whitespace. */
  characters: number;
  linkCharacters: number;
  boldCharacters: number;
  /** Characters in texts that run over more than one line or past 80 characters: prose, not labels. */
  proseCharacters: number;
  /** Sum of font size × characters. */
  fontSizes: number;
  /** Largest and smallest font size in it. */
  largestFont: number;
  smallestFont: number;
  texts: number;
  links: number;
  pictures: number;
  pictureArea: number;
  controls: number;
  /** Area of texts and pictures, overlaps counted twice. */
  ink: number;
  /** Visible extent: texts, pictures, painted or bordered elements. Left, top, right, bottom. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const PICTURES = new Set(['img', 'svg', 'canvas', 'video', 'object', 'embed', 'iframe']);
const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);

const nothing = (): PartFacts => ({
  characters: 0,
  linkCharacters: 0,
  boldCharacters: 0,
  proseCharacters: 0,
  fontSizes: 0,
  largestFont: 0,
  smallestFont: Number.POSITIVE_INFINITY,
  texts: 0,
  links: 0,
  pictures: 0,
  pictureArea: 0,
  controls: 0,
  ink: 0,
  left: Number.POSITIVE_INFINITY,
  top: Number.POSITIVE_INFINITY,
  right: Number.NEGATIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
});

function addFacts(to: PartFacts, from: PartFacts): void {
  to.characters += from.characters;
  to.linkCharacters += from.linkCharacters;
  to.boldCharacters += from.boldCharacters;
  to.proseCharacters += from.proseCharacters;
  to.fontSizes += from.fontSizes;
  to.largestFont = Math.max(to.largestFont, from.largestFont);
  to.smallestFont = Math.min(to.smallestFont, from.smallestFont);
  to.texts += from.texts;
  to.links += from.links;
  to.pictures += from.pictures;
  to.pictureArea += from.pictureArea;
  to.controls += from.controls;
  to.ink += from.ink;
  to.left = Math.min(to.left, from.left);
  to.top = Math.min(to.top, from.top);
  to.right = Math.max(to.right, from.right);
  to.bottom = Math.max(to.bottom, from.bottom);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Counts only what lies on the page: texts for screen readers are often moved thousands of pixels off it. */
function addExtent(to: PartFacts, [x, y, width, height]: Box, page: Size): void {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const right = Math.min(page.width, x + width);
  const bottom = Math.min(page.height, y + height);
  if (left >= right || top >= bottom) return;
  to.left = Math.min(to.left, left);
  to.top = Math.min(to.top, top);
  to.right = Math.max(to.right, right);
  to.bottom = Math.max(to.bottom, bottom);
}

const visibleLength = (text: string): number => text.replace(/\s+/gu, '').length;

/** Whether any of it lies on the page. */
export const isShown = (facts: PartFacts): boolean => facts.left < facts.right;
export const share = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0);
export const width = (facts: PartFacts): number => Math.max(0, facts.right - facts.left);
export const height = (facts: PartFacts): number => Math.max(0, facts.bottom - facts.top);
export const area = (facts: PartFacts): number => width(facts) * height(facts);
export const linkDensity = (facts: PartFacts): number => share(facts.linkCharacters, facts.characters);
export const meanFont = (facts: PartFacts): number =>
  facts.characters > 0 ? facts.fontSizes / facts.characters : 0;

/** Facts of each part of the tree. */
export function partFacts(tree: VisualTree): readonly PartFacts[] {
  const { snapshot, parts, overlays } = tree;
  const { nodes, styles } = snapshot;
  const owner = ownersOf(tree);
  const facts = parts.map(nothing);
  const hasChild = new Uint8Array(nodes.length);
  const inLink = new Uint8Array(nodes.length);
  for (let i = 1; i < nodes.length; i++) {
    const { parent } = nodes[i] as SnapshotNode;
    if (parent >= 0) hasChild[parent] = 1;
  }
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as SnapshotNode;
    const above = node.parent >= 0 ? (inLink[node.parent] as number) : 0;
    const own = facts[owner[i] as number] as PartFacts;
    if (node.kind === 'element') {
      const opens = node.tag === 'a' && node.attributes.href !== undefined;
      inLink[i] = above || opens ? 1 : 0;
      if (opens) own.links++;
      const style = styles[node.style] as SnapshotStyle;
      if (isAtom(node, style, hasChild[i] === 0)) addElement(own, node, snapshot.page);
      // The body paints the canvas: its box says nothing about what is on it.
      else if (i > 0 && draws(style) && node.box[2] > 0 && node.box[3] > 0)
        addExtent(own, node.box, snapshot.page);
    } else if (isAtom(node, undefined, true)) {
      const parent = nodes[node.parent] as SnapshotElement;
      addText(own, node, { style: styles[parent.style] as SnapshotStyle, link: above === 1 });
      addExtent(own, node.box, snapshot.page);
    }
  }
  const lifted = new Set(overlays);
  for (let index = parts.length - 1; index > 0; index--) {
    const { parent } = parts[index] as VisualPart;
    if (parent >= 0 && !lifted.has(index)) addFacts(facts[parent] as PartFacts, facts[index] as PartFacts);
  }
  return facts;
}

/** The innermost part that each snapshot node belongs to. */
function ownersOf({ snapshot, parts }: VisualTree): Int32Array {
  const owner = new Int32Array(snapshot.nodes.length).fill(-1);
  for (let index = 0; index < parts.length; index++) {
    for (const node of (parts[index] as VisualPart).nodes) owner[node] = index;
  }
  for (let i = 0; i < owner.length; i++) {
    const { parent } = snapshot.nodes[i] as SnapshotNode;
    if (owner[i] === -1) owner[i] = parent >= 0 ? (owner[parent] as number) : 0;
  }
  return owner;
}

function addElement(to: PartFacts, { tag, box }: SnapshotElement, page: Size): void {
  const area = box[2] * box[3];
  to.ink += area;
  addExtent(to, box, page);
  if (CONTROLS.has(tag)) to.controls++;
  else if (PICTURES.has(tag)) {
    to.pictures++;
    to.pictureArea += area;
  }
}

function addText(
  to: PartFacts,
  { text, box }: SnapshotText,
  { style, link }: { readonly style: SnapshotStyle; readonly link: boolean },
): void {
  const characters = visibleLength(text);
  to.characters += characters;
  if (link) to.linkCharacters += characters;
  if (style.fontWeight >= 600) to.boldCharacters += characters;
  if (!link && (characters > 80 || box[3] > 2.2 * style.fontSize)) to.proseCharacters += characters;
  to.fontSizes += style.fontSize * characters;
  to.largestFont = Math.max(to.largestFont, style.fontSize);
  to.smallestFont = Math.min(to.smallestFont, style.fontSize);
  to.texts++;
  to.ink += box[2] * box[3];
}
