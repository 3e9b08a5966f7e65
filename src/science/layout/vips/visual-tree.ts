/**
 * The DOM as VIPS sees it (Cai et al. 2003, §4.1): only nodes that show something, each with its kind, its extent and
 * its fonts. Built once per page, bottom-up by index (a parent always comes before its children), so that neither depth
 * nor the number of rounds matters.
 *
 * Departures from the paper, which decides by tag:
 * - Inline and line-break follow computed `display`: today's pages restyle every tag.
 * - A node without area is valid if something inside it is: a container of floats has no height of its own.
 * - An empty node that paints nothing is not valid: spacers would hide that a node has one child only (rule 2).
 * - The extent of a node that does not paint is that of its visible content: nobody sees transparent padding, and with
 *   it blocks would touch and leave no room for separators.
 * - A node with one child that is not text counts as that child when its parent's rules look at it, and the child
 *   of a table, row, cell or inline node is judged by the same rules as that node: wrappers change nothing (and
 *   every table has a single TBODY, which would leave the rules of TABLE unused).
 */
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import {
  elementKind,
  isAtom,
  isFramed,
  isPainted,
  isRuler,
  type NodeKind,
  type NodeRole,
  onPage,
  ownRole,
  styleOf,
} from './node-kinds.ts';

export interface Font {
  /** Pixels. */
  readonly size: number;
  readonly weight: number;
}

export interface VipsTree {
  readonly snapshot: PageSnapshot;
  /** False for nodes that show nothing and for those inside them. */
  readonly valid: readonly boolean[];
  /** Whether it holds any text or atom; otherwise it is paint only. */
  readonly hasContent: readonly boolean[];
  readonly kind: readonly NodeKind[];
  /** Decides which rules are asked. */
  readonly role: readonly NodeRole[];
  /** Valid children in document order, overlays left out. */
  readonly children: readonly (readonly number[])[];
  /** The innermost node of a chain of single children: what a wrapper stands for. */
  readonly core: readonly number[];
  readonly left: Float64Array;
  readonly top: Float64Array;
  readonly right: Float64Array;
  readonly bottom: Float64Array;
  /** Square pixels of the node's own box, or of its extent where it has none. */
  readonly boxArea: Float64Array;
  /** Square pixels of its box or of its extent, whichever is larger: floats and overflow leave their container. */
  readonly area: Float64Array;
  /** Fonts of the first and last text inside; undefined where there is none. */
  readonly firstFont: readonly (Font | undefined)[];
  readonly lastFont: readonly (Font | undefined)[];
  /** All text inside has one font size and weight. */
  readonly oneFont: readonly boolean[];
  /** Roots of everything laid over the page: fixed and sticky nodes, not nested in one another. */
  readonly overlays: readonly number[];
  /** Lines drawn to separate, HR and lookalikes: horizontal ones from top to bottom, vertical ones from left to right. */
  readonly rulers: { readonly horizontal: readonly number[]; readonly vertical: readonly number[] };
}

export function visualTree(snapshot: PageSnapshot): VipsTree {
  const { nodes } = snapshot;
  const count = nodes.length;
  const valid = new Array<boolean>(count).fill(false);
  const hasContent = new Array<boolean>(count).fill(false);
  const kind = new Array<NodeKind>(count).fill('line-break');
  const children: number[][] = Array.from({ length: count }, () => []);
  const core = Array.from({ length: count }, (_, i) => i);
  const [left, top] = [new Float64Array(count).fill(Infinity), new Float64Array(count).fill(Infinity)];
  const [right, bottom] = [new Float64Array(count).fill(-Infinity), new Float64Array(count).fill(-Infinity)];
  const area = new Float64Array(count);
  const boxArea = new Float64Array(count);
  const firstFont = new Array<Font | undefined>(count).fill(undefined);
  const lastFont = new Array<Font | undefined>(count).fill(undefined);
  const oneFont = new Array<boolean>(count).fill(true);
  const rulers: number[] = [];
  const owner = overlayOwners(snapshot);
  const holdsOverlay = new Uint8Array(count);
  const hasChild = new Uint8Array(count);
  for (const { parent } of nodes) if (parent >= 0) hasChild[parent] = 1;

  const include = (node: number, x0: number, y0: number, x1: number, y1: number) => {
    left[node] = Math.min(left[node] ?? x0, x0);
    top[node] = Math.min(top[node] ?? y0, y0);
    right[node] = Math.max(right[node] ?? x1, x1);
    bottom[node] = Math.max(bottom[node] ?? y1, y1);
  };

  // Children come before their parent: last node first.
  for (let i = count - 1; i >= 0; i--) {
    const node = nodes[i];
    if (!node) continue;
    const own = children[i] ?? [];
    own.reverse();
    const style = styleOf(snapshot, i);
    const parentStyle = node.parent < 0 ? undefined : styleOf(snapshot, node.parent);
    const shown = onPage(snapshot, node.box);
    if (node.kind === 'text') {
      kind[i] = 'text';
      valid[i] = hasContent[i] = shown;
      firstFont[i] = lastFont[i] = { size: style.fontSize, weight: style.fontWeight };
    } else if (isAtom(node, hasChild[i] === 1)) {
      kind[i] = 'atom';
      own.length = 0;
      valid[i] = hasContent[i] = shown;
    } else {
      // Something must remain of it without its overlays.
      valid[i] = own.length > 0 || (shown && holdsOverlay[i] === 0 && isPainted(node, style, parentStyle));
      kind[i] = elementKind(style, own, kind);
      if (valid[i] && !hasContent[i] && isRuler(node)) rulers.push(i);
      if (own.length === 1 && kind[own[0] ?? 0] !== 'text') core[i] = core[own[0] ?? 0] ?? i;
    }
    if (node.parent >= 0) holdsOverlay[node.parent] ||= owner[i] === i ? 1 : (holdsOverlay[i] ?? 0);
    if (!valid[i]) continue;
    const [x, y, width, height] = node.box;
    if (own.length === 0 || (shown && isFramed(style, parentStyle))) include(i, x, y, x + width, y + height);
    boxArea[i] = shown ? width * height : extentArea(i);
    area[i] = Math.max(boxArea[i] ?? 0, extentArea(i));
    const parent = node.parent;
    if (parent < 0 || owner[i] === i) continue;
    children[parent]?.push(i);
    hasContent[parent] ||= hasContent[i] ?? false;
    include(parent, left[i] ?? 0, top[i] ?? 0, right[i] ?? 0, bottom[i] ?? 0);
    const [first, last] = [firstFont[i], lastFont[i]];
    if (!first || !last) continue;
    const next = firstFont[parent];
    oneFont[parent] &&=
      (oneFont[i] ?? true) && (!next || (next.size === last.size && next.weight === last.weight));
    firstFont[parent] = first;
    lastFont[parent] ??= last;
  }

  function extentArea(i: number): number {
    return ((right[i] ?? 0) - (left[i] ?? 0)) * ((bottom[i] ?? 0) - (top[i] ?? 0));
  }

  const overlays = owner.flatMap((o, i) => (o === i && valid[i] ? [i] : []));
  const role = nodeRoles(snapshot, kind, children);
  return {
    snapshot,
    valid,
    hasContent,
    kind,
    role,
    children,
    core,
    left,
    top,
    right,
    bottom,
    area,
    boxArea,
    firstFont,
    lastFont,
    oneFont,
    overlays,
    rulers: rulersByPlace(snapshot, rulers),
  };
}

function nodeRoles(
  snapshot: PageSnapshot,
  kind: readonly NodeKind[],
  children: readonly (readonly number[])[],
): NodeRole[] {
  const roles: NodeRole[] = [];
  snapshot.nodes.forEach((node, i) => {
    const own = ownRole(snapshot, i, kind[i]);
    const wrapped = node.parent >= 0 && children[node.parent]?.length === 1;
    roles.push(own === 'other' && wrapped ? (roles[node.parent] ?? own) : own);
  });
  return roles;
}

function rulersByPlace({ nodes }: PageSnapshot, rulers: readonly number[]): VipsTree['rulers'] {
  const box = (i: number) => nodes[i]?.box ?? [0, 0, 0, 0];
  const lies = (i: number) => box(i)[2] >= box(i)[3];
  const middle = (i: number, axis: 0 | 1) => box(i)[axis] + box(i)[axis === 0 ? 2 : 3] / 2;
  return {
    horizontal: rulers.filter(lies).sort((a, b) => middle(a, 1) - middle(b, 1) || a - b),
    vertical: rulers.filter((i) => !lies(i)).sort((a, b) => middle(a, 0) - middle(b, 0) || a - b),
  };
}

/** For each node, the outermost fixed or sticky node it is in, itself included; -1 for none, or inside a picture. */
function overlayOwners(snapshot: PageSnapshot): number[] {
  const owner: number[] = [];
  const whole: boolean[] = [];
  snapshot.nodes.forEach((node, i) => {
    whole.push((whole[node.parent] ?? false) || (node.kind === 'element' && isAtom(node, true)));
    const above = node.parent < 0 ? -1 : (owner[node.parent] ?? -1);
    const { position } = styleOf(snapshot, i);
    const starts =
      node.kind === 'element' &&
      node.parent >= 0 &&
      !whole[node.parent] &&
      (position === 'fixed' || position === 'sticky');
    owner.push(above < 0 && starts ? i : above);
  });
  return owner;
}

/** A wrapper has the background of what it wraps. */
export function backgroundOf(tree: VipsTree, node: number): string {
  return styleOf(tree.snapshot, tree.core[node] ?? node).background;
}
