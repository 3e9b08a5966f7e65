/**
 * The tree that the default segmenter cuts: only what is visible. Wrappers vanish (an element with one visible part is
 * that part), consecutive texts and inline elements form one part, elements that stay on the screen while the reader
 * scrolls are kept apart. Names, classes and depth of elements do not count, so that markup that looks the same gives
 * the same tree.
 *
 * Iterative and linear: pages of 50,000 nodes nested 2,000 deep occur.
 */
import type { PageSnapshot, SnapshotNode, SnapshotStyle } from '../../../model/page-snapshot.ts';
import { SHOW_THEMSELVES } from '../element-kinds.ts';

export interface VisualPart {
  /** Snapshot nodes whose subtrees make it up, in document order; invisible neighbours are kept with them. */
  readonly nodes: number[];
  /** Nodes collapsed into this part, outermost first: it takes over their backgrounds, borders and roles. */
  readonly shells: number[];
  /** Index in the tree; parents come before their children. */
  readonly parent: number;
  readonly children: number[];
  /** Made of text and inline elements only. */
  readonly inline: boolean;
}

export interface VisualTree {
  readonly snapshot: PageSnapshot;
  /** The page first, then the overlays; parents before their children, children in document order. */
  readonly parts: readonly VisualPart[];
  /** Parts that are fixed or sticky; not children of any part. */
  readonly overlays: readonly number[];
  /** Per snapshot node: OVERLAY, and HOLDS_OVERLAY where an overlay was lifted out of it. */
  readonly lifted: Uint8Array;
  readonly links: Links;
}

/** Whether an element shows a box: background, picture or border of its own. */
export const draws = (style: SnapshotStyle): boolean =>
  style.paints || style.backgroundImage || style.borders.some(Boolean);

/** Something a reader sees in its own right, not through its children. */
export function isAtom(node: SnapshotNode, style: SnapshotStyle | undefined, leaf: boolean): boolean {
  if (node.box[2] <= 0 || node.box[3] <= 0) return false;
  if (node.kind === 'text') return true;
  return leaf && (SHOW_THEMSELVES.has(node.tag) || (style !== undefined && draws(style)));
}

/** Children of each node as a first-child / next-sibling list: no array per node. */
export interface Links {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function linksOf(nodes: readonly SnapshotNode[]): Links {
  const first = new Int32Array(nodes.length).fill(-1);
  const next = new Int32Array(nodes.length).fill(-1);
  for (let i = nodes.length - 1; i > 0; i--) {
    const parent = (nodes[i] as SnapshotNode).parent;
    if (parent < 0) continue;
    next[i] = first[parent] as number;
    first[parent] = i;
  }
  return { first, next };
}

const styleOf = (snapshot: PageSnapshot, node: SnapshotNode): SnapshotStyle | undefined =>
  node.kind === 'element' ? snapshot.styles[node.style] : undefined;

/** Flags of a snapshot node; the last two also in `lifted`. */
const SHOWS = 1;
const BREAKS_LINE = 2;
export const HOLDS_OVERLAY = 4;
export const OVERLAY = 8;

/** Bottom-up: what is visible, what breaks the line, what stays on the screen. */
function flagsOf(snapshot: PageSnapshot, links: Links): Uint8Array {
  const { nodes } = snapshot;
  const flags = new Uint8Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as SnapshotNode;
    const style = styleOf(snapshot, node);
    let flag = flags[i] as number;
    if (isAtom(node, style, links.first[i] === -1)) flag |= SHOWS;
    if (style !== undefined && !style.display.startsWith('inline')) flag |= BREAKS_LINE;
    const stays = style !== undefined && (style.position === 'fixed' || style.position === 'sticky');
    if (stays && flag & SHOWS && node.parent >= 0) flag |= OVERLAY;
    flags[i] = flag;
    if (node.parent < 0) continue;
    const up = flags[node.parent] as number;
    // An overlay is lifted out: it neither fills nor breaks its parent.
    flags[node.parent] =
      flag & OVERLAY ? up | HOLDS_OVERLAY : up | (flag & (SHOWS | HOLDS_OVERLAY)) | lineBreak(flag);
  }
  return flags;
}

const lineBreak = (flag: number): number => (flag & SHOWS && flag & BREAKS_LINE ? BREAKS_LINE : 0);

export function visualTree(snapshot: PageSnapshot): VisualTree {
  const { nodes } = snapshot;
  const links = linksOf(nodes);
  const flags = flagsOf(snapshot, links);
  const shows = (node: number): boolean => ((flags[node] as number) & SHOWS) !== 0;
  const parts: VisualPart[] = [];
  const add = (members: number[], parent: number, inline: boolean): number =>
    parts.push({ nodes: members, shells: [], parent, children: [], inline }) - 1;

  /** Visible groups of one element's children: each block alone, inline neighbours together. */
  const groupsOf = (element: number): Group[] => {
    const groups: Group[] = [];
    let before: number[] = [];
    let inRun = false;
    for (let child = links.first[element] as number; child !== -1; child = links.next[child] as number) {
      const flag = flags[child] as number;
      if (flag & OVERLAY) continue;
      const last = groups.at(-1);
      if (!(flag & SHOWS)) {
        if (flag & BREAKS_LINE && (nodes[child] as SnapshotNode).box[3] > 0) inRun = false;
        (last?.members ?? before).push(child);
        continue;
      }
      const inline = !(flag & BREAKS_LINE);
      if (inline && inRun && last !== undefined) {
        last.members.push(child);
        last.shown.push(child);
      } else {
        groups.push({ members: [...before, child], shown: [child], inline });
        before = [];
      }
      inRun = inline;
    }
    return groups;
  };

  const grow = (index: number): void => {
    const part = parts[index] as VisualPart;
    let groups: Group[] = [{ members: part.nodes, shown: part.nodes.filter(shows), inline: part.inline }];
    // A single visible element is replaced by its content, repeatedly; its invisible neighbours are carried along.
    const before: number[] = [];
    const after: number[] = [];
    for (;;) {
      const only = groups.length === 1 ? groups[0] : undefined;
      const element = only?.shown.length === 1 ? (only.shown[0] as number) : -1;
      if (only === undefined || element === -1) break;
      if (links.first[element] === -1) {
        part.shells.push(element);
        break;
      }
      const place = only.members.indexOf(element);
      for (let i = 0; i < place; i++) before.push(only.members[i] as number);
      for (let i = only.members.length - 1; i > place; i--) after.push(only.members[i] as number);
      part.shells.push(element);
      groups = groupsOf(element);
    }
    const only = groups.length === 1 ? (groups[0] as Group) : undefined;
    // A run of inline neighbours: each becomes a part.
    if (only !== undefined) groups = only.shown.length > 1 ? eachOfRun(only, shows) : [];
    takeAlong(groups, before, after.reverse());
    for (const group of groups) part.children.push(add(group.members, index, group.inline));
  };

  if (nodes.length > 0) add([0], -1, false);
  const overlays: number[] = [];
  for (let node = 0; node < nodes.length; node++) {
    if ((flags[node] as number) & OVERLAY) overlays.push(add([node], -1, false));
  }
  for (let done = 0; done < parts.length; done++) grow(done);
  return { snapshot, parts, overlays, links, lifted: flags.map((flag) => flag & (OVERLAY | HOLDS_OVERLAY)) };
}

interface Group {
  readonly members: number[];
  readonly shown: number[];
  readonly inline: boolean;
}

function takeAlong(groups: Group[], before: readonly number[], after: readonly number[]): void {
  const first = groups[0];
  if (first !== undefined && before.length > 0)
    groups[0] = { ...first, members: before.concat(first.members) };
  for (const member of after) groups.at(-1)?.members.push(member);
}

/** Invisible members stay with the visible one before them. */
function eachOfRun(run: Group, shows: (node: number) => boolean): Group[] {
  const groups: Group[] = [];
  let before: number[] = [];
  for (const member of run.members) {
    if (shows(member)) {
      groups.push({ members: [...before, member], shown: [member], inline: true });
      before = [];
    } else (groups.at(-1)?.members ?? before).push(member);
  }
  return groups;
}
