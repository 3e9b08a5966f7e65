import {
  type BlockContent,
  type Delta,
  ELEMENT_KINDS,
  type ElementKind,
  type ElementOperation,
  type Operation,
  type Place,
  type Placed,
  type TouchedBlock,
} from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import type { ElementOutcome, Pair, Standing } from './element-outcome.ts';
import type { LeafGroup, LeafPairs } from './leaf-pairs.ts';
import type { BlockMatch } from './match-blocks.ts';
import type { ElementMatch } from './match-elements.ts';

/** Everything found out about two layouts. */
export interface LayoutMatch {
  readonly blocks: BlockMatch;
  readonly elements: { readonly [K in ElementKind]: ElementMatch<K> };
}

/**
 * The nodes of the delta tree (IWAW 2009 §5.1, §5.2): by block in reading order, changes and moves between two blocks last. In a window of
 * another size (`sameWindow`: false) columns and cuts differ anyway: they are no change of the page.
 */
export function operationsOf(match: LayoutMatch, sameWindow: boolean): Pick<Delta, 'operations' | 'touched'> {
  const { groups, pairs } = match.blocks;
  const crossed = new Uint8Array(groups.length);
  for (const kind of ELEMENT_KINDS) {
    const { moves, across } = match.elements[kind];
    for (const { fromGroup, toGroup } of [...moves, ...across]) {
      crossed[fromGroup] = 1;
      crossed[toGroup] = 1;
    }
  }
  const operations: Operation[] = [];
  const touched: TouchedBlock[] = [];
  const moved = movedLeaves(match.blocks);
  groups.forEach((group, g) => {
    const before = operations.length;
    const own = outcomesOf(match, g);
    addBlockOperations(operations, group, { pairs, own, moved, sameWindow });
    if (group.old.length > 0 && group.new.length > 0) addElementOperations(operations, own, pairs);
    if (operations.length > before || crossed[g] === 1) touched.push(touchedBlock(group, own, pairs));
  });
  for (const kind of ELEMENT_KINDS) {
    for (const pair of match.elements[kind].across) operations.push(changed('update', kind, pair, pairs));
  }
  for (const kind of ELEMENT_KINDS) {
    for (const pair of match.elements[kind].moves) operations.push(changed('move', kind, pair, pairs));
  }
  return { operations, touched };
}

type Outcomes = { readonly [K in ElementKind]: ElementOutcome<K> };

const outcomesOf = ({ elements: { link, image, text } }: LayoutMatch, group: number): Outcomes => ({
  link: link.outcomes[group] as ElementOutcome<'link'>,
  image: image.outcomes[group] as ElementOutcome<'image'>,
  text: text.outcomes[group] as ElementOutcome<'text'>,
});

/** New leaves that lost their place in the reading order. */
function movedLeaves({ pairs: { partnerOfNew }, order: { keptOld } }: BlockMatch): ReadonlySet<number> {
  const moved = new Set<number>();
  partnerOfNew.forEach((o, n) => {
    if (o !== -1 && keptOld[o] === 0) moved.add(n);
  });
  return moved;
}

/** Pixels by which a column may move or widen and still be the same. */
const COLUMN_TOLERANCE = 1;

const otherFrame = (a: Block, b: Block): boolean =>
  Math.abs(a.box[0] - b.box[0]) > COLUMN_TOLERANCE ||
  Math.abs(a.box[2] - b.box[2]) > COLUMN_TOLERANCE ||
  a.doc !== b.doc;

interface GroupFacts {
  readonly pairs: LeafPairs;
  readonly own: Outcomes;
  readonly moved: ReadonlySet<number>;
  readonly sameWindow: boolean;
}

function addBlockOperations(operations: Operation[], group: LeafGroup, facts: GroupFacts): void {
  const { olds, news } = facts.pairs;
  const old = olds[group.old[0] as number];
  const now = news[group.new[0] as number];
  if (!old || !now) {
    const content = (side: 'olds' | 'news') => contentOf(facts.own, side);
    if (now) operations.push({ op: 'insert', element: 'block', to: now.ref, content: content('news') });
    if (old) operations.push({ op: 'delete', element: 'block', from: old.ref, content: content('olds') });
    return;
  }
  const update = (structure: 'split' | 'merge' | 'frame'): void => {
    const from = group.old.map((o) => (olds[o] as Block).ref);
    const to = group.new.map((n) => (news[n] as Block).ref);
    operations.push({ op: 'update', element: 'block', structure, from, to });
  };
  if (group.structure) {
    if (facts.sameWindow) update(group.structure);
    return;
  }
  if (facts.sameWindow && otherFrame(old, now)) update('frame');
  if (facts.moved.has(group.new[0] as number)) {
    operations.push({ op: 'move', element: 'block', from: old.ref, to: now.ref });
  }
}

function contentOf({ link, image, text }: Outcomes, side: 'olds' | 'news'): BlockContent {
  const placed = <K extends ElementKind>(outcome: ElementOutcome<K>): Placed<K>[] =>
    outcome[side].map(({ index, value }) => ({ index, value }));
  return { links: placed(link), images: placed(image), texts: placed(text) };
}

/** Inserts, deletes and updates of this kind; within each, links, images, texts. */
function addElementOperations(operations: Operation[], own: Outcomes, pairs: LeafPairs): void {
  for (const element of ELEMENT_KINDS) {
    for (const one of own[element].news) {
      const to = placeOf(one, pairs.news);
      operations.push({ op: 'insert', element, to, new: one.value } as ElementOperation);
    }
  }
  for (const element of ELEMENT_KINDS) {
    for (const one of own[element].olds) {
      const from = placeOf(one, pairs.olds);
      operations.push({ op: 'delete', element, from, old: one.value } as ElementOperation);
    }
  }
  for (const element of ELEMENT_KINDS) {
    for (const pair of own[element].updates) operations.push(changed('update', element, pair, pairs));
  }
}

export const placeOf = (one: Standing<ElementKind>, leaves: readonly Block[]): Place => ({
  block: (leaves[one.leaf] as Block).ref,
  index: one.index,
});

function changed(
  op: 'update' | 'move',
  element: ElementKind,
  { old, new: now }: Pair<ElementKind>,
  { olds, news }: LeafPairs,
): ElementOperation {
  const from = placeOf(old, olds);
  const to = placeOf(now, news);
  return { op, element, from, to, old: old.value, new: now.value } as ElementOperation;
}

function touchedBlock(group: LeafGroup, own: Outcomes, { olds, news }: LeafPairs): TouchedBlock {
  const from: string[] = [];
  const to: string[] = [];
  const importance = { old: 0, new: 0 };
  const elements = { link: 0, image: 0, text: 0 };
  const advertisements = { link: 0, image: 0, text: 0 };
  const add = (block: Block, side: 'old' | 'new'): void => {
    (side === 'old' ? from : to).push(block.ref);
    importance[side] += block.importance;
    elements.link += block.links.length;
    elements.image += block.images.length;
    elements.text += block.texts.length;
    for (const link of block.links) if (link.advertisement) advertisements.link++;
    for (const image of block.images) if (image.advertisement) advertisements.image++;
  };
  for (const o of group.old) add(olds[o] as Block, 'old');
  for (const n of group.new) add(news[n] as Block, 'new');
  // A pair is one element of the block, however it looked before.
  for (const kind of ELEMENT_KINDS) {
    elements[kind] -= own[kind].matched;
    advertisements[kind] -= own[kind].matchedAdvertisements;
  }
  return { from, to, importance, elements, advertisements };
}
