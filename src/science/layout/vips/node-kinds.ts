/**
 * How VIPS classifies an element (Cai et al. 2003, §4.1): by its computed style; by its tag only where the style does
 * not tell.
 */
import type { Box, PageSnapshot, SnapshotElement, SnapshotStyle } from '../../../model/page-snapshot.ts';

/** `text`: free text. `atom`: shown, but never divided: pictures and controls. `virtual-text`: inline, holds only text. */
export type NodeKind = 'text' | 'atom' | 'virtual-text' | 'inline' | 'line-break';

/** The columns of Table 2, by computed `display`; P by its tag, since nothing in its style tells it. */
export type NodeRole = 'inline' | 'table' | 'row' | 'cell' | 'other';

/** The browser shows these as one thing, whatever is inside. */
const REPLACED: ReadonlySet<string> = new Set(
  'img svg canvas video audio object embed iframe frame input textarea select button progress meter math'.split(
    ' ',
  ),
);

/** Of these, the children count if the snapshot has any. */
const TRANSPARENT: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'button']);

/** Pixels: an empty painted box this thin is a line. */
const RULER_THICKNESS = 4;

const PLAIN: SnapshotStyle = {
  display: 'block',
  position: 'static',
  float: 'none',
  background: '#ffffff',
  paints: false,
  backgroundImage: false,
  color: '#000000',
  fontSize: 16,
  fontWeight: 400,
  fontFamily: '',
  borders: [false, false, false, false],
};

/** Of a text node: its parent's. */
export function styleOf(snapshot: PageSnapshot, node: number): SnapshotStyle {
  const at = snapshot.nodes[node];
  const element = at?.kind === 'text' ? snapshot.nodes[at.parent] : at;
  return (element?.kind === 'element' && snapshot.styles[element.style]) || PLAIN;
}

function isInlineDisplay(style: SnapshotStyle): boolean {
  if (style.float !== 'none' || style.position === 'absolute' || style.position === 'fixed') return false;
  return (
    style.display.startsWith('inline') || style.display.startsWith('ruby') || style.display === 'contents'
  );
}

export function ownRole(snapshot: PageSnapshot, node: number, kind: NodeKind | undefined): NodeRole {
  if (kind !== 'line-break' || tagOf(snapshot, node) === 'p') return 'inline';
  switch (styleOf(snapshot, node).display) {
    case 'table':
      return 'table';
    case 'table-row':
      return 'row';
    case 'table-cell':
      return 'cell';
    default:
      return 'other';
  }
}

/** Has an area, some of it within reach of scrolling. */
export function onPage({ page }: PageSnapshot, [x, y, width, height]: Box): boolean {
  return width > 0 && height > 0 && x + width > 0 && y + height > 0 && x < page.width && y < page.height;
}

export function isAtom(node: SnapshotElement, hasChildren: boolean): boolean {
  return REPLACED.has(node.tag) && !(hasChildren && TRANSPARENT.has(node.tag));
}

export function isPainted(
  node: SnapshotElement,
  style: SnapshotStyle,
  around: SnapshotStyle | undefined,
): boolean {
  return node.tag === 'hr' || isFramed(style, around);
}

/** Whether its own box can be seen: white painted on white cannot. */
export function isFramed(style: SnapshotStyle, around: SnapshotStyle | undefined): boolean {
  return (
    style.backgroundImage ||
    style.borders.includes(true) ||
    (style.paints && style.background !== around?.background)
  );
}

export function isRuler(node: SnapshotElement): boolean {
  const [, , width, height] = node.box;
  return node.tag === 'hr' || Math.min(width, height) <= RULER_THICKNESS;
}

export function elementKind(
  style: SnapshotStyle,
  children: readonly number[],
  kind: readonly NodeKind[],
): NodeKind {
  if (!isInlineDisplay(style)) return 'line-break';
  return children.length > 0 && children.every((c) => isTextual(kind[c])) ? 'virtual-text' : 'inline';
}

/** A text node or a virtual text node. */
export function isTextual(kind: NodeKind | undefined): boolean {
  return kind === 'text' || kind === 'virtual-text';
}

/** In lower case; '' for a text. */
export function tagOf(snapshot: PageSnapshot, node: number): string {
  const at = snapshot.nodes[node];
  return at?.kind === 'element' ? at.tag : '';
}
