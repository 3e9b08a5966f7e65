import type { ElementKind, LayoutHead, PageElement } from '../../model/delta.ts';
import type { ImageElement, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import type { Random } from '../newspaper/random.ts';
import { type DraftBlock, draftOf, finishLayout, leavesOf } from './draft-layout.ts';
import { editBlocks, type StructureEdit } from './edit-blocks.ts';
import {
  COMMON_NAMES,
  digestOf,
  drawImage,
  drawLink,
  drawText,
  image,
  link,
  phrase,
  text,
  word,
} from './make-layout.ts';

/**
 * The simulator of Pehlivan, Ben Saad, Gançarski (IWAW 2009) §7.2: edits a layout with known operations, so that the
 * findings of Vi-DIFF can be checked. The paper changed 10 % per type of operation for links and images, and texts by
 * updates only; here texts come, go and move too, and so may blocks.
 */
export interface EditRates {
  /** Rates among the elements of each kind. */
  readonly insert: number;
  readonly delete: number;
  readonly update: number;
  readonly move: number;
  /** Rate among the leaf blocks: of inserts, deletes, moves, splits and merges, each. */
  readonly structure: number;
  /** Share of the leaf blocks that each type of operation reaches; all of them by default. */
  readonly reach?: number;
}

/** The paper's experiment, read as a tenth of the elements: every block changes, the hardest case to match. */
export const PAPER_RATES: EditRates = { insert: 0.1, delete: 0.1, update: 0.1, move: 0.1, structure: 0 };

/**
 * The paper's experiment, taken literally: a tenth of the leaf blocks per type, here with a third of the elements in
 * each.
 */
export const BLOCK_RATES: EditRates = {
  insert: 0.3,
  delete: 0.3,
  update: 0.3,
  move: 0.3,
  structure: 0,
  reach: 0.1,
};

/** One operation, named as `operationKeys` names those of a delta. */
export type TrueOperation = string;

export interface EditedLayout {
  readonly layout: Layout;
  readonly truth: readonly TrueOperation[];
}

type Fate =
  | { readonly op: 'insert'; readonly kind: ElementKind; readonly to: DraftBlock; readonly new: PageElement }
  | {
      readonly op: 'delete';
      readonly kind: ElementKind;
      readonly from: DraftBlock;
      readonly old: PageElement;
    }
  | {
      readonly op: 'update';
      readonly kind: ElementKind;
      readonly from: DraftBlock;
      readonly old: PageElement;
      readonly new: PageElement;
    }
  | {
      readonly op: 'move';
      readonly kind: ElementKind;
      readonly from: DraftBlock;
      readonly to: DraftBlock;
      readonly old: PageElement;
    };

export function editLayout(old: Layout, rates: EditRates, random: Random): EditedLayout {
  const { root: oldRoot, ...oldHead } = old;
  const root = draftOf(oldRoot);
  const oldRefs = finishLayout(oldHead, root).refs;
  const fates: Fate[] = [];
  const structure: StructureEdit[] = rates.structure > 0 ? editBlocks(root, rates.structure, random) : [];
  const busy = new Set(structure.flatMap((edit) => [...edit.from, ...edit.to]));
  const leaves = leavesOf(root).filter((leaf) => !busy.has(leaf));
  for (const kind of ['link', 'image', 'text'] as const) editKind(kind, leaves, rates, random, fates);
  shiftDown(root, oldRoot.box[3]);
  const head: LayoutHead = { ...oldHead, version: `${old.version}+1` };
  const { layout, refs } = finishLayout(head, root);
  const oldRef = (block: DraftBlock): string => oldRefs.get(block) ?? '?';
  const newRef = (block: DraftBlock): string => refs.get(block) ?? '?';
  const truth = [
    ...fates.map((fate) => nameFate(fate, oldRef, newRef)),
    ...structure.map((edit) => nameStructure(edit, oldRef, newRef)),
  ];
  return { layout, truth };
}

type Ref = (block: DraftBlock) => string;

function nameFate(fate: Fate, oldRef: Ref, newRef: Ref): TrueOperation {
  switch (fate.op) {
    case 'insert':
      return `insert ${fate.kind} ${newRef(fate.to)} ${fate.new.id}`;
    case 'delete':
      return `delete ${fate.kind} ${oldRef(fate.from)} ${fate.old.id}`;
    case 'update':
      return `update ${fate.kind} ${oldRef(fate.from)} ${fate.old.id} ${fate.new.id}`;
    case 'move':
      return `move ${fate.kind} ${oldRef(fate.from)} ${newRef(fate.to)} ${fate.old.id}`;
  }
}

function nameStructure({ op, from, to }: StructureEdit, oldRef: Ref, newRef: Ref): TrueOperation {
  if (op === 'insert') return `insert block ${to.map(newRef).join()}`;
  if (op === 'delete') return `delete block ${from.map(oldRef).join()}`;
  return `${op} block ${from.map(oldRef).join()} ${to.map(newRef).join()}`;
}

const listOf = (leaf: DraftBlock, kind: ElementKind): PageElement[] =>
  (kind === 'link' ? leaf.links : kind === 'image' ? leaf.images : leaf.texts) as PageElement[];

function editKind(
  kind: ElementKind,
  leaves: readonly DraftBlock[],
  rates: EditRates,
  random: Random,
  fates: Fate[],
): void {
  const movers: { from: DraftBlock; value: PageElement }[] = [];
  // Of equal elements on a page at most one is edited: nobody could tell which of two twins moved and which went.
  const edited = new Set<string>();
  for (const leaf of leaves) {
    const deletedNames = new Set<string>();
    const list = listOf(leaf, kind);
    const kept: PageElement[] = [];
    const reached = reachedRates(rates, random);
    for (const value of list) {
      const draw = edited.has(value.id) ? 1 : random.next();
      if (draw < reached.delete + reached.update + reached.move) edited.add(value.id);
      if (draw < reached.delete) {
        fates.push({ op: 'delete', kind, from: leaf, old: value });
        if ('name' in value) deletedNames.add(value.name);
      } else if (draw < reached.delete + reached.update) {
        const changed = changeElement(kind, value, random);
        kept.push(changed ?? value);
        if (changed) fates.push({ op: 'update', kind, from: leaf, old: value, new: changed });
      } else if (draw < reached.delete + reached.update + reached.move && leaves.length > 1) {
        movers.push({ from: leaf, value });
      } else kept.push(value);
    }
    const inserts = list.filter(() => random.chance(reached.insert)).length;
    for (let i = 0; i < inserts; i++) {
      const value = drawElement(kind, random, deletedNames);
      kept.splice(random.int(kept.length + 1), 0, value);
      fates.push({ op: 'insert', kind, to: leaf, new: value });
    }
    list.splice(0, list.length, ...kept);
  }
  for (const { from, value } of movers) {
    let to = random.pick(leaves);
    while (to === from) to = random.pick(leaves);
    listOf(to, kind).splice(random.int(listOf(to, kind).length + 1), 0, value);
    fates.push({ op: 'move', kind, from, to, old: value });
  }
}

/** The rates for one block. */
function reachedRates(rates: EditRates, random: Random): EditRates {
  const { reach } = rates;
  if (reach === undefined) return rates;
  const drawn = (rate: number): number => (random.chance(reach) ? rate : 0);
  return {
    ...rates,
    insert: drawn(rates.insert),
    delete: drawn(rates.delete),
    update: drawn(rates.update),
    move: drawn(rates.move),
  };
}

/** A link with the name of one deleted from the same block would by definition be an update of it. */
function drawElement(kind: ElementKind, random: Random, taken: ReadonlySet<string>): PageElement {
  if (kind === 'text') return drawText(random);
  if (kind === 'image') return drawImage(random);
  const common = random.pick(COMMON_NAMES);
  return drawLink(random, random.chance(0.2) && !taken.has(common) ? common : undefined);
}

function changeElement(kind: ElementKind, value: PageElement, random: Random): PageElement | undefined {
  if (kind === 'text') return rewrite(value as TextElement, random);
  if (kind === 'link') {
    const { name, address, advertisement } = value as LinkElement;
    return name !== '' && random.chance(0.5)
      ? link(name, `${address}?${word(random)}`, advertisement)
      : link(phrase(random, 3), address, advertisement);
  }
  const { name, source, digest, advertisement } = value as ImageElement;
  // Without a name, a picture with another address is another picture.
  if (digest !== undefined) return image(name, source, digestOf(random), advertisement);
  return name !== '' && random.chance(0.5)
    ? image(name, `${source}&${word(random)}=1`, digest, advertisement)
    : image(phrase(random, 3), source, digest, advertisement);
}

/** Replaces up to a third of the words; a text of one or two words would become another text. */
function rewrite(value: TextElement, random: Random): TextElement | undefined {
  const words = value.text.split(' ');
  if (words.length < 3) return undefined;
  const changes = 1 + random.int(Math.max(1, Math.floor(words.length / 3)));
  for (let i = 0; i < changes; i++) words[random.int(words.length)] = `${word(random)}x`;
  return text(words.join(' '));
}

/** Content that came or went moves everything below: each leaf moves down a little, more so further down. */
function shiftDown(root: DraftBlock, pageHeight: number): void {
  for (const leaf of leavesOf(root)) {
    const [x, y, width, height] = leaf.box;
    leaf.box = [x, y + Math.round((y / Math.max(1, pageHeight)) * 200), width, height];
  }
}
