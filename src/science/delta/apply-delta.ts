import type {
  BlockContent,
  Delta,
  ElementKind,
  Frame,
  Operation,
  PageElement,
  Place,
  QuietChange,
} from '../../model/delta.ts';
import type { Block, ImageElement, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import { append } from './append.ts';
import { editedMemory } from './memory-edit.ts';
import { listOf } from './vi-diff/element-outcome.ts';
import {
  type FlatBlock,
  type FlatLayout,
  frameOf,
  headOf,
  positionsOf,
  sameFrame,
  traverse,
} from './vi-diff/flat-blocks.ts';
import { sameFields } from './vi-diff/ledger.ts';

/** The delta was made from another layout, or is damaged. Nothing is applied. */
export class DeltaMismatch extends Error {
  override readonly name = 'DeltaMismatch';
  /** Which part of the delta does not fit: `operation 3 (delete link from B1.2)`. */
  readonly part: string;

  constructor(part: string, reason: string) {
    super(`the delta does not fit the layout: ${part}: ${reason}`);
    this.part = part;
  }
}

/** The new layout, exactly: deep-equal to the one the delta was made from. */
export function applyDelta(delta: Delta, old: Layout): Layout {
  checkHead(delta, old);
  const blocks = traverse(old);
  const flat: PlacedBlocks = { ...blocks, byRef: positionsOf(blocks) };
  const edits = new ElementEdits(flat);
  delta.operations.forEach((operation, i) => {
    edits.take(operation, `operation ${i + 1} (${describeOperation(operation)})`);
  });
  delta.ledger.quiet.forEach((change, i) => {
    edits.takeQuiet(change, `ledger entry ${i + 1} (${change.element} of ${change.from.block})`);
  });
  const edited = editedMemory(old.memory, delta.ledger.memory);
  if (edited.kind === 'mismatch')
    throw new DeltaMismatch('its memory', `the layout of ${old.version} remembers another cut`);
  const { memory } = edited;
  const root = treeOf(carriedBlocks(delta, flat, edits));
  return { ...delta.to, ...(memory !== undefined && { memory }), root };
}

export function describeOperation(operation: Operation): string {
  const { op, element } = operation;
  const refs = (side: string | Place | readonly string[]): string =>
    typeof side === 'string' ? side : 'block' in side ? side.block : side.join(', ');
  const from = 'from' in operation ? ` from ${refs(operation.from)}` : '';
  const to = 'to' in operation ? ` to ${refs(operation.to)}` : '';
  return `${op} ${element}${from}${to}`;
}

function checkHead(delta: Delta, old: Layout): void {
  const { viewport: is, ...head } = headOf(old);
  const { viewport: was, ...from } = delta.from;
  if (sameFields(head, from) && sameFields(is, was)) return;
  const name = (side: { url: string; version: string }): string => `${side.url} at ${side.version}`;
  const [expected, given] = [name(from), name(head)];
  throw new DeltaMismatch(
    'its origin',
    expected === given
      ? `title, viewport or segmenter differ from those of ${given}`
      : `it starts from ${expected}, not from ${given}`,
  );
}

interface Arrival {
  readonly index: number;
  readonly value: PageElement;
  readonly part: string;
}

const listKey = (kind: ElementKind, block: string): string => `${kind} ${block}`;

interface PlacedBlocks extends FlatLayout {
  /** Positions of the blocks. */
  readonly byRef: ReadonlyMap<string, number>;
}

/** Elements that leave the lists of the old layout, and elements that arrive in those of the new one. */
class ElementEdits {
  readonly #flat: PlacedBlocks;
  readonly #left = new Map<string, Set<number>>();
  readonly #arrivals = new Map<string, Arrival[]>();

  constructor(flat: PlacedBlocks) {
    this.#flat = flat;
  }

  take(operation: Operation, part: string): void {
    if (operation.element === 'block') {
      if (operation.op === 'insert') {
        eachOf(operation.content, (kind, index, value) =>
          this.#arrive(kind, { block: operation.to, index }, value, part),
        );
      } else if (operation.op === 'delete') {
        eachOf(operation.content, (kind, index, value) =>
          this.#leave(kind, { block: operation.from, index }, value, part),
        );
      }
      return;
    }
    if ('from' in operation) this.#leave(operation.element, operation.from, operation.old, part);
    if ('to' in operation) this.#arrive(operation.element, operation.to, operation.new, part);
  }

  takeQuiet(change: QuietChange, part: string): void {
    const value = this.#leave(change.element, change.from, change.values?.old, part);
    this.#arrive(change.element, change.to, change.values?.new ?? value, part);
  }

  #leave(kind: ElementKind, place: Place, expected: PageElement | undefined, part: string): PageElement {
    const block = this.#flat.blocks[this.#flat.byRef.get(place.block) ?? -1]?.block;
    if (!block) throw new DeltaMismatch(part, `there is no block ${place.block}`);
    const value = listOf(block, kind)[place.index];
    if (!value) throw new DeltaMismatch(part, `${place.block} has no ${kind} at index ${place.index}`);
    if (expected && !sameFields(value, expected)) {
      throw new DeltaMismatch(part, `${place.block} has another ${kind} at index ${place.index}`);
    }
    const key = listKey(kind, place.block);
    const left = this.#left.get(key) ?? new Set();
    if (left.has(place.index)) {
      throw new DeltaMismatch(
        part,
        `the ${kind} at index ${place.index} of ${place.block} has already been taken`,
      );
    }
    this.#left.set(key, left.add(place.index));
    return value;
  }

  #arrive(kind: ElementKind, place: Place, value: PageElement, part: string): void {
    append(this.#arrivals, listKey(kind, place.block), { index: place.index, value, part });
  }

  /** The elements of a list that stay, or the list itself if all do. */
  staying(kind: ElementKind, block: Block): readonly PageElement[] {
    const list = listOf(block, kind);
    const left = this.#left.get(listKey(kind, block.ref));
    return left ? list.filter((_, i) => !left.has(i)) : list;
  }

  /** The new list of a block: arrivals at their indices; those that stay fill the rest in order. */
  list(kind: ElementKind, ref: string, stays: readonly PageElement[]): readonly PageElement[] {
    const arrivals = this.#arrivals.get(listKey(kind, ref));
    this.#arrivals.delete(listKey(kind, ref));
    if (!arrivals) return stays;
    const list: (PageElement | undefined)[] = new Array(stays.length + arrivals.length).fill(undefined);
    for (const { index, value, part } of arrivals) {
      if (!(index in list) || list[index] !== undefined) {
        throw new DeltaMismatch(part, `index ${index} of the ${kind}s of ${ref} is taken or out of range`);
      }
      list[index] = value;
    }
    let next = 0;
    return list.map((value) => value ?? (stays[next++] as PageElement));
  }

  /** Refuses arrivals for blocks that the new layout does not have. */
  checkAllArrived(): void {
    for (const [key, [arrival]] of this.#arrivals) {
      const part = arrival?.part ?? 'ledger';
      throw new DeltaMismatch(part, `the new layout has no block ${key.slice(key.indexOf(' ') + 1)}`);
    }
  }
}

function eachOf(
  content: BlockContent,
  visit: (kind: ElementKind, index: number, value: PageElement) => void,
): void {
  for (const { index, value } of content.links) visit('link', index, value);
  for (const { index, value } of content.images) visit('image', index, value);
  for (const { index, value } of content.texts) visit('text', index, value);
}

interface Carried {
  readonly frame: Frame;
  readonly block: Omit<Block, 'blocks'> & { blocks: Block[] };
}

/** All blocks of the new layout, not yet joined into a tree. */
function carriedBlocks(delta: Delta, flat: PlacedBlocks, edits: ElementEdits): Carried[] {
  const changed = new Map<number, Frame | undefined>();
  const carried: Carried[] = [];
  const add = (frame: Frame, origin: Block | undefined): void => {
    const list = (kind: ElementKind): readonly PageElement[] =>
      edits.list(kind, frame.ref, origin ? edits.staying(kind, origin) : []);
    const { parent: _parent, index: _index, ...block } = frame;
    const links = list('link') as readonly LinkElement[];
    const images = list('image') as readonly ImageElement[];
    const texts = list('text') as readonly TextElement[];
    carried.push({ frame, block: { ...block, links, images, texts, blocks: [] } });
  };
  for (const change of delta.ledger.frames) {
    if (!change.old) continue;
    const part = `frame of ${change.old.ref}`;
    const at = flat.byRef.get(change.old.ref);
    if (at === undefined) throw new DeltaMismatch(part, 'there is no such block');
    if (!sameFrame(frameOf(flat.blocks[at] as FlatBlock, flat), change.old)) {
      throw new DeltaMismatch(part, 'its id, box, coherence, importance or place is another');
    }
    if (changed.has(at)) throw new DeltaMismatch(part, 'it is named twice');
    changed.set(at, change.new);
  }
  flat.blocks.forEach((one, at) => {
    const frame = changed.has(at) ? changed.get(at) : frameOf(one, flat);
    if (frame) add(frame, one.block);
    else {
      for (const kind of ['link', 'image', 'text'] as const) {
        if (edits.staying(kind, one.block).length === 0) continue;
        throw new DeltaMismatch(`frame of ${one.block.ref}`, `it goes, but ${kind}s of it stay`);
      }
    }
  });
  for (const change of delta.ledger.frames) if (!change.old) add(change.new, undefined);
  edits.checkAllArrived();
  return carried;
}

function treeOf(carried: readonly Carried[]): Block {
  const byRef = new Map<string, Carried>();
  for (const one of carried) {
    if (byRef.has(one.frame.ref)) throw new DeltaMismatch(`frame of ${one.frame.ref}`, 'two blocks have it');
    byRef.set(one.frame.ref, one);
  }
  const roots: Block[] = [];
  for (const { frame, block } of carried) {
    const siblings = frame.parent === '' ? roots : byRef.get(frame.parent)?.block.blocks;
    if (!siblings) throw new DeltaMismatch(`frame of ${frame.ref}`, `there is no parent ${frame.parent}`);
    if (siblings[frame.index]) {
      throw new DeltaMismatch(`frame of ${frame.ref}`, `place ${frame.index} in ${frame.parent} is taken`);
    }
    siblings[frame.index] = block;
  }
  const [root] = roots;
  if (!root || roots.length > 1) throw new DeltaMismatch('its frames', 'they do not make one tree');
  // Counted from the root, so that gaps among siblings and cycles of parents are found.
  let reached = 0;
  const stack: Block[] = [root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    reached++;
    for (const child of block.blocks) {
      if (!child) throw new DeltaMismatch(`frame of ${block.ref}`, 'a block is missing in it');
      stack.push(child);
    }
  }
  if (reached !== carried.length) throw new DeltaMismatch('its frames', 'they do not make one tree');
  return root;
}
