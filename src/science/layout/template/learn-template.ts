/**
 * A template from a page's HTML and from what a browser showed of it. There is one only if the page is static: if its
 * HTML gives the same layout as the snapshot, with the same ids.
 */
import type { HtmlTree } from '../../../model/html-tree.ts';
import type { Block, Segment } from '../../../model/layout.ts';
import type { Box, PageSnapshot, SnapshotElement, SnapshotNode } from '../../../model/page-snapshot.ts';
import type { PlacedLayout } from '../layout-of.ts';
import { startsLine } from '../leaf-content.ts';
import { leafOfNode, leavesOf } from '../segment-leaves.ts';
import { type Alignment, align, childrenOf } from './align.ts';
import { type FillOptions, fillTemplate } from './fill-template.ts';
import { baseOf } from './filled-snapshot.ts';
import { contentOf } from './match.ts';
import { ADDED, EMPTY, HIDDEN, type PageTemplate, SHOWN, type TemplateBlock } from './page-template.ts';
import { type Sketch, type SketchNode, sketchOf, surroundingsOf } from './sketch.ts';
import { findRule, sourcesIn } from './source-rules.ts';
import { type Resolve, resolver } from './url-names.ts';

export type Learning =
  | { readonly kind: 'learned'; readonly template: PageTemplate }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): Learning => ({ kind: 'refused', reason });

export function learnTemplate(
  tree: HtmlTree,
  snapshot: PageSnapshot,
  placed: PlacedLayout,
  options: Omit<FillOptions, 'version'>,
): Learning {
  if (tree.doubts.length > 0) return refused(`doubtful markup: ${tree.doubts.join(', ')}`);
  const sketch = sketchOf(tree);
  if (sketch.title !== snapshot.title) return refused('the title is not that of the HTML');
  const resolve = resolver(baseOf(snapshot.url, sketch));
  const alignment = align(snapshot, sketch, resolve);
  if (!alignment) return refused('the page shows what its HTML does not have');
  const template = templateOf({ tree, sketch, snapshot, placed, alignment, resolve });
  if (typeof template === 'string') return refused(template);
  // The proof: the same HTML must give the same layout.
  const again = fillTemplate(template, tree, { ...options, version: placed.layout.version });
  if (again.kind === 'render') return refused(again.reason);
  const other = firstDifference(placed.layout.root, again.layout.root);
  return other ? refused(`${other} reads otherwise in the HTML`) : { kind: 'learned', template };
}

/** The ref of the first leaf whose content differs. */
export function firstDifference(a: Block, b: Block): string | undefined {
  if (a.id === b.id && a.blocks.length === b.blocks.length && a.blocks.length === 0) return undefined;
  if (a.blocks.length !== b.blocks.length || a.blocks.length === 0) return a.ref;
  for (const [i, block] of a.blocks.entries()) {
    const found = firstDifference(block, b.blocks[i] as Block);
    if (found) return found;
  }
  return undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

/** One version of a page: its HTML and what the browser showed. */
interface BothSides {
  readonly tree: HtmlTree;
  readonly sketch: Sketch;
  readonly snapshot: PageSnapshot;
  readonly placed: PlacedLayout;
  readonly alignment: Alignment;
  readonly resolve: Resolve;
}

/** The template, or why there is none. */
function templateOf({
  tree,
  sketch,
  snapshot,
  placed,
  alignment,
  resolve,
}: BothSides): PageTemplate | string {
  const { layout, places } = placed;
  const { shownAs, foundAs } = alignment;
  const segmentOf = (block: Block): Segment => ({
    box: block.box,
    doc: block.doc,
    nodes: places.get(block.ref)?.nodes ?? [],
    segments: block.blocks.map(segmentOf),
  });
  const owner = leafOfNode(snapshot, leavesOf(segmentOf(layout.root)));
  const shown = childrenOf(snapshot.nodes);
  const raw = childrenOf(sketch.nodes);
  const content = contentOf(sketch.nodes);
  const sources = sourcesIn(tree);
  const keys = table();
  const rules = table();
  const columns: Mutable<PageTemplate['nodes']> = {
    parent: [],
    tag: [],
    key: [],
    state: [],
    box: [],
    style: [],
    rule: [],
    length: [],
    wraps: [],
    leaf: [],
  };
  /** Template node of each snapshot node. */
  const placeOf = new Int32Array(snapshot.nodes.length).fill(-1);
  const NOWHERE: Box = [0, 0, 0, 0];

  const add = (parent: number, s: number, n: number): number | string => {
    const node = snapshot.nodes[s];
    const own = sketch.nodes[n];
    const element = node?.kind === 'element' ? node : undefined;
    const at = columns.parent.length;
    if (s >= 0) placeOf[s] = at;
    columns.parent.push(parent);
    columns.tag.push(own?.tag ?? element?.tag ?? '');
    columns.key.push(keys.number(own?.key ?? '+'));
    columns.state.push(n < 0 ? ADDED : s >= 0 ? SHOWN : content[n] === 1 ? HIDDEN : EMPTY);
    columns.box.push(node?.box ?? NOWHERE);
    columns.style.push(element?.style ?? -1);
    columns.length.push(own?.text.length ?? 0);
    columns.leaf.push(s >= 0 ? (owner[s] as number) : -1);
    const wraps = node?.kind === 'text' && startsLine(snapshot, s);
    columns.wraps.push(wraps ? 1 : 0);
    if (node?.kind === 'text' && own?.afterBreak && follows(s) && !wraps) return 'lines of text overlap';
    const rule = element && own ? ruleOf(element, own) : -1;
    if (rule === undefined) return `the source of a ${own?.tag} is not in the HTML`;
    columns.rule.push(rule);
    return at;
  };
  const follows = (s: number): boolean => {
    const before = snapshot.nodes[s - 1] as SnapshotNode;
    return before.kind === 'text' && before.parent === snapshot.nodes[s]?.parent;
  };
  const ruleOf = (element: SnapshotElement, own: SketchNode): number | undefined => {
    if (own.tag !== 'img' && own.tag !== 'video' && own.tag !== 'audio') return -1;
    const rule = findRule(element.attributes.src, own, sources, resolve);
    return rule === undefined ? undefined : rules.number(rule);
  };

  // Pairs of a snapshot node and a sketch node; children are pushed in reverse, so that nodes come in document order.
  const stack: [parent: number, s: number, n: number][] = [[-1, 0, 0]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [parent, s, n] = next;
    const at = add(parent, s, n);
    if (typeof at === 'string') return at;
    if (s < 0) continue;
    const inside: [number, number, number][] = [];
    const added = (from: number): number => {
      let child = from;
      const own = shown[s] as number[];
      while (child < own.length && foundAs[own[child] as number] === -1)
        inside.push([at, own[child++] as number, -1]);
      return child;
    };
    let seen = added(0);
    for (const child of n < 0 ? [] : (raw[n] as number[])) {
      const as = shownAs[child] as number;
      inside.push([at, as, child]);
      if (as >= 0) seen = added(seen + 1);
    }
    for (let i = inside.length - 1; i >= 0; i--) stack.push(inside[i] as [number, number, number]);
  }
  const blockOf = (block: Block): TemplateBlock => ({
    box: block.box,
    doc: block.doc,
    importance: block.importance,
    nodes: (places.get(block.ref)?.nodes ?? []).map((node) => placeOf[node] as number),
    blocks: block.blocks.map(blockOf),
  });
  return {
    format: 1,
    segmenter: layout.segmenter,
    url: snapshot.url,
    version: layout.version,
    viewport: snapshot.viewport,
    page: snapshot.page,
    surroundings: surroundingsOf(sketch),
    styles: snapshot.styles,
    keys: keys.names,
    rules: rules.names,
    nodes: columns,
    cut: blockOf(layout.root),
    memory: layout.memory,
  };
}

/** Numbers the distinct strings, which are few. */
function table() {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    names,
    number(name: string): number {
      let at = numbers.get(name);
      if (at === undefined) {
        at = names.push(name) - 1;
        numbers.set(name, at);
      }
      return at;
    },
  };
}
