import type { Block, ImageElement, Layout, LinkElement, TextElement } from './layout.ts';

/**
 * What changed between two layouts of one page (Vi-Delta is its written form).
 *
 * `operations` is what a reader would notice. `ledger` is the rest that `applyDelta` needs to reproduce the new
 * layout exactly: frames of blocks, orders inside a block, labels that do not show. Every entry holds the old
 * and the new side, so a delta can be reversed without either layout.
 */
export interface Delta {
  readonly format: 1;
  readonly from: LayoutHead;
  readonly to: LayoutHead;
  /** In the reading order of their blocks, then insert, delete, update, move; those between two blocks last. */
  readonly operations: readonly Operation[];
  /** The blocks those operations touch, with what change importance needs to know of them. */
  readonly touched: readonly TouchedBlock[];
  readonly ledger: DeltaLedger;
  /** Absent where it was not computed: that takes both layouts. */
  readonly salience?: DeltaSalience;
}

/** How much a reader would want to be told of it: see science/delta/salience. */
export interface DeltaSalience {
  /** In [0, 1]. */
  readonly value: number;
  /** One per operation, in the same order: 1 − Π (1 − s) is the value. */
  readonly operations: readonly number[];
  /** In one sentence. */
  readonly why: string;
}

/** One of the layouts shows only part of its page: having no operations then does not mean that nothing changed. */
export const isPartial = ({ from, to }: Pick<Delta, 'from' | 'to'>): boolean =>
  from.partial !== undefined || to.partial !== undefined;

/** A layout without its blocks, and without its memory, which is in the ledger. */
export type LayoutHead = Omit<Layout, 'root' | 'memory'>;

export type ElementKind = 'link' | 'image' | 'text';
export const ELEMENT_KINDS: readonly ElementKind[] = ['link', 'image', 'text'];

export interface ElementOfKind {
  readonly link: LinkElement;
  readonly image: ImageElement;
  readonly text: TextElement;
}

export type PageElement = ElementOfKind[ElementKind];

/** Where an element is: its block's ref and its index among the elements of its kind there. */
export interface Place {
  readonly block: string;
  readonly index: number;
}

export interface ElementInsert<K extends ElementKind = ElementKind> {
  readonly op: 'insert';
  readonly element: K;
  readonly to: Place;
  readonly new: ElementOfKind[K];
}

export interface ElementDelete<K extends ElementKind = ElementKind> {
  readonly op: 'delete';
  readonly element: K;
  readonly from: Place;
  readonly old: ElementOfKind[K];
}

/**
 * update: one element with another name, address, picture or wording, in the same block, or, where blocks are cut
 * differently, at the same place in the reading order. move: one element, now in another place and block; its
 * name or wording may differ there.
 */
export interface ElementChange<K extends ElementKind = ElementKind, Op = 'update' | 'move'> {
  readonly op: Op;
  readonly element: K;
  readonly from: Place;
  readonly to: Place;
  readonly old: ElementOfKind[K];
  readonly new: ElementOfKind[K];
}

type OfEachKind<T extends Record<ElementKind, unknown>> = T[ElementKind];

export type ElementOperation =
  | OfEachKind<{ [K in ElementKind]: ElementInsert<K> }>
  | OfEachKind<{ [K in ElementKind]: ElementDelete<K> }>
  | OfEachKind<{ [K in ElementKind]: ElementChange<K, 'update'> }>
  | OfEachKind<{ [K in ElementKind]: ElementChange<K, 'move'> }>;

/** An element's place and value, before and after; one side is missing where it came or went. */
export const sidesOf = (
  operation: ElementOperation,
): {
  readonly from?: Place;
  readonly to?: Place;
  readonly old?: PageElement;
  readonly new?: PageElement;
} => operation;

/** An element and its index among those of its kind in its block. */
export interface Placed<K extends ElementKind> {
  readonly index: number;
  readonly value: ElementOfKind[K];
}

/** The elements that came or went with their block. Those moved in from or out to other blocks are moves. */
export interface BlockContent {
  readonly links: readonly Placed<'link'>[];
  readonly images: readonly Placed<'image'>[];
  readonly texts: readonly Placed<'text'>[];
}

export interface BlockInsert {
  readonly op: 'insert';
  readonly element: 'block';
  /** Ref in the new layout. */
  readonly to: string;
  readonly content: BlockContent;
}

export interface BlockDelete {
  readonly op: 'delete';
  readonly element: 'block';
  /** Ref in the old layout. */
  readonly from: string;
  readonly content: BlockContent;
}

/** A leaf block that moved, with its content, to another place in the reading order. */
export interface BlockMove {
  readonly op: 'move';
  readonly element: 'block';
  readonly from: string;
  readonly to: string;
}

/**
 * Another shape for the same content. `split`: one block became several; `merge`: the other way round; `frame`:
 * another column, width or coherence. Shifts down the page and new heights follow from content and are no change.
 */
export interface BlockUpdate {
  readonly op: 'update';
  readonly element: 'block';
  readonly structure: 'split' | 'merge' | 'frame';
  /** Refs in the old layout: one or, for a merge, several. */
  readonly from: readonly string[];
  /** Refs in the new layout: one or, for a split, several. */
  readonly to: readonly string[];
}

export type BlockOperation = BlockInsert | BlockDelete | BlockMove | BlockUpdate;
export type Operation = ElementOperation | BlockOperation;
export type OperationName = Operation['op'];

/** One block as readers know it: a matched pair, a group (split, merge), or one that came (no `from`) or went. */
export interface TouchedBlock {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Sums over `from` and `to`. */
  readonly importance: { readonly old: number; readonly new: number };
  /** How many elements of each kind old and new hold together, matched ones counted once. */
  readonly elements: Readonly<Record<ElementKind, number>>;
  /** How many of those are advertisements; matched ones where both sides are. */
  readonly advertisements: Readonly<Record<ElementKind, number>>;
}

/** A block's own properties and its place in the tree, without its elements. */
export interface Frame extends Pick<Block, 'ref' | 'id' | 'box' | 'doc' | 'typeSizes' | 'importance'> {
  /** Ref of its parent; '' for the root. */
  readonly parent: string;
  /** Position among its parent's blocks. */
  readonly index: number;
}

/** Absent `old`: a block that came. Absent `new`: one that went. */
export type FrameChange =
  | { readonly old: Frame; readonly new: Frame }
  | { readonly old?: never; readonly new: Frame }
  | { readonly old: Frame; readonly new?: never };

/**
 * An element that readers find unchanged, but that is not quite where, or what, it was: another order in its
 * block, another half of a split block, a source with another cache-buster, a label readers do not see.
 */
export type QuietChange = OfEachKind<{
  [K in ElementKind]: {
    readonly element: K;
    readonly from: Place;
    readonly to: Place;
    /** Present where they differ. */
    readonly values?: { readonly old: ElementOfKind[K]; readonly new: ElementOfKind[K] };
  };
}>;

/** Blocks and elements not named here stay as they are; elements keep their order. */
export interface DeltaLedger {
  readonly frames: readonly FrameChange[];
  readonly quiet: readonly QuietChange[];
  /** Absent where both layouts have the same memory. */
  readonly memory?: MemoryEdit;
}

/** In `Layout.memory`, from offset `at` on, `old` gave way to `new`; a side is absent where there was no memory at all. */
export interface MemoryEdit {
  readonly at: number;
  readonly old?: string;
  readonly new?: string;
}
