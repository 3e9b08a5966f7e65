import {
  type BlockContent,
  type Delta,
  ELEMENT_KINDS,
  type ElementKind,
  type ElementOperation,
  type FrameChange,
  type LayoutHead,
  type Operation,
  type Place,
  type Placed,
  type QuietChange,
  type TouchedBlock,
} from '../../model/delta.ts';
import type { Block, Layout } from '../../model/layout.ts';
import type { Pair, Standing } from './vi-diff/detect-changes.ts';
import { type FlatLayout, flatten, frameOf, keptFrame } from './vi-diff/flat-blocks.ts';
import { longestIncreasing } from './vi-diff/increasing.ts';
import { type LeafGroup, type LeafMatch, matchLeaves } from './vi-diff/match-blocks.ts';
import { type KindMatch, type KindOutcome, matchElements } from './vi-diff/match-elements.ts';

/**
 * Vi-DIFF: Pehlivan, Ben Saad, Gançarski, "A Novel Web Archiving Approach based on Visual Pages Analysis"
 * (IWAW 2009) §5. Blocks of two layouts are matched, then the links, images and texts of those that changed.
 *
 * Departures: blocks may come, go, split, merge and move (the paper assumes they do not); elements are matched
 * in passes over multisets (see element-pairs.ts); the delta also records what readers do not see, so that it
 * can be applied exactly and turned round. O(n log n) in the number of elements and words.
 */
export function diffLayouts(old: Layout, now: Layout): Delta {
  if (old.segmenter !== now.segmenter) {
    throw new RangeError(
      `layouts of different segmenters cannot be compared: '${old.segmenter}' and '${now.segmenter}'`,
    );
  }
  const oldFlat = flatten(old);
  const newFlat = flatten(now);
  const olds = oldFlat.leaves.map((at) => oldFlat.blocks[at]?.block as Block);
  const news = newFlat.leaves.map((at) => newFlat.blocks[at]?.block as Block);
  const match = matchLeaves(olds, news);
  const matches: AllKinds = {
    link: matchElements('link', olds, news, match),
    image: matchElements('image', olds, news, match),
    text: matchElements('text', olds, news, match),
  };
  const context: Context = { olds, news, match, matches, moved: movedLeaves(match) };
  return {
    format: 1,
    from: headOf(old),
    to: headOf(now),
    ...operationsOf(context),
    ledger: { frames: framesOf(oldFlat, newFlat, match), quiet: quietOf(context) },
  };
}

type AllKinds = { readonly [K in ElementKind]: KindMatch<K> };

interface Context {
  readonly olds: readonly Block[];
  readonly news: readonly Block[];
  readonly match: LeafMatch;
  readonly matches: AllKinds;
  /** New leaves that lost their place in the reading order. */
  readonly moved: ReadonlySet<number>;
}

export function headOf(layout: Layout): LayoutHead {
  const { root: _blocks, ...head } = layout;
  return head;
}

/** Leaves outside a longest run that kept its order. */
function movedLeaves({ partnerOfNew }: LeafMatch): Set<number> {
  const carried: number[] = [];
  partnerOfNew.forEach((o, n) => {
    if (o !== -1) carried.push(n);
  });
  const kept = longestIncreasing(carried.map((n) => partnerOfNew[n] as number));
  return new Set(carried.filter((_, i) => kept[i] === 0));
}

/** Pixels that a column may move or widen without being another one. */
const COLUMN_TOLERANCE = 1;

const otherFrame = (a: Block, b: Block): boolean =>
  Math.abs(a.box[0] - b.box[0]) > COLUMN_TOLERANCE ||
  Math.abs(a.box[2] - b.box[2]) > COLUMN_TOLERANCE ||
  a.doc !== b.doc;

function operationsOf(context: Context): Pick<Delta, 'operations' | 'touched'> {
  const { match, matches } = context;
  const crossed = new Uint8Array(match.groups.length);
  for (const kind of ELEMENT_KINDS) {
    for (const { fromGroup, toGroup } of matches[kind].moves) {
      crossed[fromGroup] = 1;
      crossed[toGroup] = 1;
    }
  }
  const operations: Operation[] = [];
  const touched: TouchedBlock[] = [];
  match.groups.forEach((group, g) => {
    const before = operations.length;
    addBlockOperation(context, group, g, operations);
    if (group.old.length > 0 && group.new.length > 0) addElementOperations(context, g, operations);
    if (operations.length > before || crossed[g] === 1) touched.push(touchedBlock(context, group, g));
  });
  for (const kind of ELEMENT_KINDS) {
    for (const { old, new: now } of matches[kind].moves) {
      operations.push(changed('move', kind, { old, new: now } as Pair<ElementKind>, context));
    }
  }
  return { operations, touched };
}

function addBlockOperation(context: Context, group: LeafGroup, g: number, operations: Operation[]): void {
  const { olds, news, matches, moved } = context;
  const content = (side: 'olds' | 'news'): BlockContent => {
    const placed = <K extends ElementKind>(outcome: KindOutcome<K> | undefined): Placed<K>[] =>
      (outcome?.[side] ?? []).map(({ index, value }) => ({ index, value }));
    return {
      links: placed(matches.link.outcomes[g]),
      images: placed(matches.image.outcomes[g]),
      texts: placed(matches.text.outcomes[g]),
    };
  };
  const old = olds[group.old[0] as number];
  const now = news[group.new[0] as number];
  if (!old || !now) {
    if (now) operations.push({ op: 'insert', element: 'block', to: now.ref, content: content('news') });
    if (old) operations.push({ op: 'delete', element: 'block', from: old.ref, content: content('olds') });
    return;
  }
  const update = (structure: 'split' | 'merge' | 'frame'): void => {
    const from = group.old.map((o) => (olds[o] as Block).ref);
    const to = group.new.map((n) => (news[n] as Block).ref);
    operations.push({ op: 'update', element: 'block', structure, from, to });
  };
  if (group.structure) update(group.structure);
  else {
    if (otherFrame(old, now)) update('frame');
    if (moved.has(group.new[0] as number)) {
      operations.push({ op: 'move', element: 'block', from: old.ref, to: now.ref });
    }
  }
}

/** Insert, delete, update; of each, links, images, texts. */
function addElementOperations(context: Context, g: number, operations: Operation[]): void {
  const { olds, news, matches } = context;
  const outcomeOf = (kind: ElementKind) => matches[kind].outcomes[g] as KindOutcome<ElementKind>;
  for (const element of ELEMENT_KINDS) {
    for (const one of outcomeOf(element).news) {
      const to = placeOf(one, news);
      operations.push({ op: 'insert', element, to, new: one.value } as ElementOperation);
    }
  }
  for (const element of ELEMENT_KINDS) {
    for (const one of outcomeOf(element).olds) {
      const from = placeOf(one, olds);
      operations.push({ op: 'delete', element, from, old: one.value } as ElementOperation);
    }
  }
  for (const element of ELEMENT_KINDS) {
    for (const pair of outcomeOf(element).updates) {
      operations.push(changed('update', element, pair, context));
    }
  }
}

const placeOf = (one: Standing<ElementKind>, leaves: readonly Block[]): Place => ({
  block: (leaves[one.leaf] as Block).ref,
  index: one.index,
});

function changed(
  op: 'update' | 'move',
  element: ElementKind,
  pair: Pair<ElementKind>,
  { olds, news }: Context,
): ElementOperation {
  const { old, new: now } = pair;
  const from = placeOf(old, olds);
  const to = placeOf(now, news);
  return { op, element, from, to, old: old.value, new: now.value } as ElementOperation;
}

function touchedBlock({ olds, news, matches }: Context, group: LeafGroup, g: number): TouchedBlock {
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
  // A pair is one element of the block, whatever it looked like before.
  for (const kind of ELEMENT_KINDS) {
    const outcome = matches[kind].outcomes[g] as KindOutcome<ElementKind>;
    elements[kind] -= outcome.matched;
    advertisements[kind] -= outcome.matchedAdvertisements;
  }
  return { from, to, importance, elements, advertisements };
}

function quietOf(context: Context): QuietChange[] {
  const quiet: QuietChange[] = [];
  for (const element of ELEMENT_KINDS) {
    for (const outcome of context.matches[element].outcomes as readonly KindOutcome<ElementKind>[]) {
      for (const { old, new: now } of outcome.quiet) {
        const [from, to] = [placeOf(old, context.olds), placeOf(now, context.news)];
        const values = sameFields(old.value, now.value) ? {} : { values: { old: old.value, new: now.value } };
        quiet.push({ element, from, to, ...values } as QuietChange);
      }
    }
  }
  return quiet;
}

/** Flat records of strings and flags. */
export function sameFields(a: object, b: object): boolean {
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((key) => x[key] === y[key]);
}

/** Leaves carry on as they were matched; inner blocks, of which nothing shows, as they are placed. */
function framesOf(old: FlatLayout, now: FlatLayout, match: LeafMatch): FrameChange[] {
  const partner = new Int32Array(now.blocks.length).fill(-1);
  const carried = new Uint8Array(old.blocks.length);
  const join = (o: number, n: number): void => {
    partner[n] = o;
    carried[o] = 1;
  };
  const leafOld = new Uint8Array(old.blocks.length);
  const leafNew = new Uint8Array(now.blocks.length);
  for (const at of old.leaves) leafOld[at] = 1;
  for (const at of now.leaves) leafNew[at] = 1;
  match.partnerOfNew.forEach((o, n) => {
    if (o !== -1) join(old.leaves[o] as number, now.leaves[n] as number);
  });
  now.blocks.forEach(({ block }, n) => {
    const o = leafNew[n] === 1 ? undefined : old.byRef.get(block.ref);
    if (o !== undefined && leafOld[o] === 0) join(o, n);
  });
  const changes: FrameChange[] = [];
  now.blocks.forEach((flat, n) => {
    const before = old.blocks[partner[n] as number];
    if (!before) changes.push({ new: frameOf(flat, now) });
    else if (!keptFrame(before, old, flat, now)) {
      changes.push({ old: frameOf(before, old), new: frameOf(flat, now) });
    }
  });
  old.blocks.forEach((flat, o) => {
    if (carried[o] === 0) changes.push({ old: frameOf(flat, old) });
  });
  return changes;
}
