import type { Block, Layout, Segment } from '../../model/layout.ts';
import type { Box, PageSnapshot } from '../../model/page-snapshot.ts';
import { contentId } from './content-hash.ts';
import { type ContentOptions, type LeafContent, readLeaves } from './leaf-content.ts';
import { leavesOf } from './segment-leaves.ts';
import type { SegmentedPage } from './segmenter.ts';
import { typeSizes } from './type-sizes.ts';

/**
 * From segments to a layout: the extension of VIPS by Pehlivan, Ben Saad, Gançarski, "A Novel Web Archiving
 * Approach based on Visual Pages Analysis" (IWAW 2009) §4: links, images and texts are read into the leaf
 * blocks, and every node gets an id that is a hash of its content and of its children's ids.
 *
 * Departures: a run of text per paragraph instead of one text per block, so that one changed paragraph is one changed
 * text; images carry the digest of their picture where it is known.
 */

/** Shares of importance of the leaves, in order; they need not add up to 1. */
export type Weigh = (snapshot: PageSnapshot, leaves: readonly LeafContent[]) => readonly number[];

export interface LayoutOptions extends ContentOptions {
  readonly version: string;
  /** `Segmenter.name`. */
  readonly segmenter: string;
  /** Defaults to weight by area. */
  readonly weigh?: Weigh | undefined;
  /** The layout that the page was cut along. */
  readonly previous?: Layout | undefined;
}

/** Where the parts of a block are in the snapshot; the lists are parallel to the block's element lists. */
export interface BlockPlace {
  readonly nodes: readonly number[];
  readonly links: readonly number[];
  readonly images: readonly number[];
  readonly texts: readonly number[];
}

export interface PlacedLayout {
  readonly layout: Layout;
  /** Keyed by `Block.ref`. */
  readonly places: ReadonlyMap<string, BlockPlace>;
}

export function layoutOf(snapshot: PageSnapshot, segment: SegmentedPage, options: LayoutOptions): Layout {
  return placedLayoutOf(snapshot, segment, options).layout;
}

/** The layout, with a table from its blocks back to the snapshot. */
export function placedLayoutOf(
  snapshot: PageSnapshot,
  segment: SegmentedPage,
  options: LayoutOptions,
): PlacedLayout {
  const leaves = readLeaves(snapshot, leavesOf(segment), options);
  const shares = toShares((options.weigh ?? byArea)(snapshot, leaves), leaves.length);
  const places = new Map<string, BlockPlace>();
  const types = typeSizes(snapshot, leaves);
  const read = leaves.map((content, i) => ({
    content,
    importance: shares[i] as number,
    type: types[i] ?? '',
  }));
  const root = buildBlocks(segment, read, places);
  const { url, title, viewport, cut } = snapshot;
  const { version, segmenter, previous } = options;
  const told = {
    ...(cut !== undefined && { partial: cut }),
    ...(previous && { previous: previous.root.id }),
    ...(segment.memory !== undefined && { memory: segment.memory }),
  };
  return { layout: { url, title, version, viewport, segmenter, ...told, root }, places };
}

/** A leaf's content and what was found out about it. */
interface ReadLeaf {
  readonly content: LeafContent;
  readonly importance: number;
  readonly type: string;
}

interface Frame {
  readonly segment: Segment;
  readonly ref: string;
  readonly blocks: Block[];
}

/** An explicit stack instead of recursion: a page may nest to any depth. */
function buildBlocks(root: Segment, leaves: readonly ReadLeaf[], places: Map<string, BlockPlace>): Block {
  const stack: Frame[] = [{ segment: root, ref: 'B1', blocks: [] }];
  let leaf = 0;
  for (;;) {
    const frame = stack.at(-1) as Frame;
    const { segment, ref, blocks } = frame;
    const next = segment.segments[blocks.length];
    if (next) {
      stack.push({ segment: next, ref: `${ref}.${blocks.length + 1}`, blocks: [] });
      continue;
    }
    const isLeaf = segment.segments.length === 0;
    const block = isLeaf ? leafBlock(ref, leaves[leaf] as ReadLeaf) : innerBlock(ref, segment, blocks);
    const read = isLeaf ? (leaves[leaf++] as ReadLeaf).content.nodes : { links: [], images: [], texts: [] };
    places.set(ref, { nodes: segment.nodes, ...read });
    stack.pop();
    const parent = stack.at(-1);
    if (!parent) return block;
    parent.blocks.push(block);
  }
}

function leafBlock(ref: string, { content, importance, type }: ReadLeaf): Block {
  const { segment, links, images, texts } = content;
  const { doc } = segment;
  const sizes = type === '' ? {} : { typeSizes: type };
  const id = leafId(links, images, texts);
  return { ref, id, box: whole(segment.box), doc, ...sizes, importance, links, images, texts, blocks: [] };
}

function innerBlock(ref: string, { box, doc }: Segment, blocks: readonly Block[]): Block {
  const importance = blocks.reduce((sum, block) => sum + block.importance, 0);
  const id = innerId(blocks);
  return { ref, id, box: whole(box), doc, importance, links: [], images: [], texts: [], blocks };
}

interface Identified {
  readonly id: string;
}

const ids = (items: readonly Identified[]): string => items.map((item) => item.id).join(' ');

/** The id of a leaf block that holds these elements. */
export const leafId = (
  links: readonly Identified[],
  images: readonly Identified[],
  texts: readonly Identified[],
): string => contentId('leaf', ids(links), ids(images), ids(texts));

/** The id of a block that holds these blocks. */
export const innerId = (blocks: readonly Identified[]): string => contentId('blocks', ids(blocks));

/** Tenths of a pixel are layout-engine noise, and lengthen Vi-XML. `+ 0` turns -0 into 0. */
const whole = ([x, y, width, height]: Box): Box => [
  Math.round(x) + 0,
  Math.round(y) + 0,
  Math.round(width),
  Math.round(height),
];

const byArea: Weigh = (_snapshot, leaves) =>
  leaves.map(({ segment: { box } }) => Math.max(0, box[2]) * Math.max(0, box[3]));

/** Scales weights to add up to 1; invalid weights count as 0, and if all do, the leaves are equal. */
function toShares(weights: readonly number[], count = weights.length): number[] {
  const sound = Array.from({ length: count }, (_, i) => {
    const weight = weights[i] ?? 0;
    return Number.isFinite(weight) && weight > 0 ? weight : 0;
  });
  const largest = sound.reduce((a, b) => Math.max(a, b), 0);
  if (largest === 0) return sound.map(() => 1 / count);
  // Divided by the largest first, so that the sum cannot overflow.
  const scaled = sound.map((weight) => weight / largest);
  const sum = scaled.reduce((a, b) => a + b, 0);
  return scaled.map((weight) => weight / sum);
}
