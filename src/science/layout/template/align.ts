/**
 * Finds the raw HTML node of each snapshot node. A snapshot is the HTML without what is hidden, unless a script wrote
 * into the page: it must embed into the sketch, siblings in order. Nodes without content that scripts added (frames,
 * spacers) are allowed for.
 */
import type { PageSnapshot, SnapshotNode, SnapshotText } from '../../../model/page-snapshot.ts';
import { isPicture, linkAddress } from '../element-kinds.ts';
import type { Sketch, SketchNode } from './sketch.ts';
import type { Resolve } from './url-names.ts';

/** Children of each node, by index. */
export function childrenOf(nodes: readonly { readonly parent: number }[]): number[][] {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, i) => {
    if (parent >= 0) children[parent]?.push(i);
  });
  return children;
}

export interface Alignment {
  /** Snapshot node of each sketch node; -1 if it is not shown. */
  readonly shownAs: Int32Array;
  /** Sketch node of each snapshot node; -1 if a script added it. */
  readonly foundAs: Int32Array;
}

/** Attributes that snapshots keep verbatim. */
const TELLING = ['id', 'class', 'name', 'type', 'alt', 'title', 'role', 'aria-label'];

/** Deeper pages are rendered, as the comparison is recursive. */
const DEEPEST = 1500;

/** Undefined where the snapshot shows something that the HTML does not have. */
export function align(snapshot: PageSnapshot, sketch: Sketch, resolve: Resolve): Alignment | undefined {
  const { nodes } = snapshot;
  if (nodes.length === 0 || sketch.nodes.length === 0 || deepest(nodes) > DEEPEST) return undefined;
  const shown = childrenOf(nodes);
  const raw = childrenOf(sketch.nodes);
  const contentless = withoutContent(nodes);
  const firstText = firstTexts(nodes);
  const placesOf = textPlaces(sketch.nodes);
  const known = new Map<number, boolean>();
  const shownAs = new Int32Array(sketch.nodes.length).fill(-1);
  const foundAs = new Int32Array(nodes.length).fill(-1);

  const fits = (s: number, r: number): boolean => {
    const node = nodes[s] as SnapshotNode;
    const other = sketch.nodes[r] as SketchNode;
    if (node.kind === 'text') return other.tag === '' && other.text === node.text;
    if (node.tag !== other.tag) return false;
    // Most elements that differ do so in their first words: this tells apart the equal elements of long lists at once.
    const text = firstText[s] as number;
    if (text >= 0 && !holds(placesOf.get((nodes[text] as SnapshotText).text), r, other.end)) return false;
    const key = s * sketch.nodes.length + r;
    let fit = known.get(key);
    if (fit === undefined) {
      fit = pairsOf(s, r) !== undefined;
      known.set(key, fit);
    }
    return fit;
  };
  /** For each child of a snapshot node, its child of the sketch node; -1 for one that a script added. */
  const pairsOf = (s: number, r: number): number[] | undefined =>
    pairs(shown[s] as number[], raw[r] as number[], true) ??
    pairs(shown[s] as number[], raw[r] as number[], false);
  const pairs = (
    ours: readonly number[],
    theirs: readonly number[],
    strict: boolean,
  ): number[] | undefined => {
    const found: number[] = [];
    let from = 0;
    for (const s of ours) {
      let at = from;
      while (
        at < theirs.length &&
        !((!strict || alike(s, theirs[at] as number)) && fits(s, theirs[at] as number))
      )
        at++;
      if (at < theirs.length) {
        found.push(theirs[at] as number);
        from = at + 1;
      } else if (contentless[s] === 1) found.push(-1);
      else return undefined;
    }
    return found;
  };
  const alike = (s: number, r: number): boolean => {
    const node = nodes[s] as SnapshotNode;
    if (node.kind === 'text') return true;
    const { attributes } = sketch.nodes[r] as SketchNode;
    if (TELLING.some((name) => (node.attributes[name] ?? '') !== (attributes[name] ?? ''))) return false;
    const address = linkAddress(node);
    return address === undefined || (attributes.href !== undefined && resolve(attributes.href) === address);
  };

  if (!fits(0, 0)) return undefined;
  const open: [number, number][] = [[0, 0]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [s, r] = pair;
    foundAs[s] = r;
    shownAs[r] = s;
    if ((nodes[s] as SnapshotNode).kind === 'text') continue;
    const found = pairsOf(s, r) as number[];
    (shown[s] as number[]).forEach((child, i) => {
      if ((found[i] as number) >= 0) open.push([child, found[i] as number]);
    });
  }
  return { shownAs, foundAs };
}

/** The first text in each node, itself included; -1 for none. */
function firstTexts(nodes: readonly SnapshotNode[]): Int32Array {
  const first = new Int32Array(nodes.length).fill(-1);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { kind, parent } = nodes[i] as SnapshotNode;
    if (kind === 'text') first[i] = i;
    if (parent >= 0 && (first[i] as number) >= 0) first[parent] = first[i] as number;
  }
  return first;
}

/** The nodes where each text occurs, in document order. */
function textPlaces(nodes: readonly SketchNode[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  nodes.forEach(({ tag, text }, i) => {
    if (tag !== '') return;
    const known = places.get(text);
    if (known) known.push(i);
    else places.set(text, [i]);
  });
  return places;
}

/** Whether any of the places, in ascending order, is in [from, end). */
function holds(places: readonly number[] | undefined, from: number, end: number): boolean {
  if (!places) return false;
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low < places.length && (places[low] as number) < end;
}

function deepest(nodes: readonly SnapshotNode[]): number {
  const depth = new Int32Array(nodes.length);
  let most = 0;
  nodes.forEach(({ parent }, i) => {
    depth[i] = parent < 0 ? 0 : (depth[parent] as number) + 1;
    most = Math.max(most, depth[i] as number);
  });
  return most;
}

/** 1 for nodes with nothing in them to read. */
function withoutContent(nodes: readonly SnapshotNode[]): Uint8Array {
  const empty = new Uint8Array(nodes.length).fill(1);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as SnapshotNode;
    const says =
      node.kind === 'text' ||
      isPicture(node) ||
      linkAddress(node) !== undefined ||
      node.tag === 'input' ||
      (node.tag === 'iframe' && node.attributes.src !== undefined);
    if (says) empty[i] = 0;
    if (empty[i] === 0 && node.parent >= 0) empty[node.parent] = 0;
  }
  return empty;
}
