import type { Block } from '../../../model/layout.ts';
import { type Overlap, overlapOf } from './block-overlap.ts';
import { eachAgreement, type Sketch, sketchOf, sketchSimilarity } from './block-sketch.ts';
import { iou, sameColumn } from './box-overlap.ts';
import { findParts } from './split-merge.ts';

/**
 * Which leaf of the new layout is which of the old one. The paper assumes that the structure of blocks does not
 * change (IWAW 2009 §5) and compares them place by place; pages do change theirs, so here blocks are known by
 * what they hold, then by where they stand.
 *
 * 1. equal ids, then nearly equal content in the same place; 2. one leaf covered by several: split, merge; 3. best score first: content (shared elements or
 * words), place (IoU, after the shift of the block before), make-up (links, images, texts); 4. what is left
 * between the same neighbours and has the same column. Leaves without a partner came or went.
 */
export interface LeafGroup {
  /** Positions among the leaves; empty for a block that came. */
  readonly old: readonly number[];
  readonly new: readonly number[];
  readonly structure?: 'split' | 'merge';
  /** Equal ids. */
  readonly equal: boolean;
}

export interface LeafMatch {
  readonly groups: readonly LeafGroup[];
  /** The leaf that carries on: for each old one the new one, -1 for none. In a split, the part that keeps most. */
  readonly partnerOfOld: Int32Array;
  readonly partnerOfNew: Int32Array;
}

/** Content that makes two leaves one whatever their place; and the score that does with the help of place. */
const SAME_CONTENT = 0.3;
const SAME_BLOCK = 0.3;
const CONTENT_WEIGHT = 0.6;
const PLACE_WEIGHT = 0.3;
const MAKE_UP_WEIGHT = 0.1;
/** What an equal ref adds where the tree of blocks is the same, as the paper assumes it to be. */
const FIXED_WEIGHT = 0.2;

export function matchLeaves(olds: readonly Block[], news: readonly Block[]): LeafMatch {
  const partnerOfOld = new Int32Array(olds.length).fill(-1);
  const partnerOfNew = new Int32Array(news.length).fill(-1);
  const join = (o: number, n: number): void => {
    partnerOfOld[o] = n;
    partnerOfNew[n] = o;
  };
  matchEqual(olds, news, partnerOfOld, partnerOfNew, join);
  const equal = new Uint8Array(olds.length);
  for (let o = 0; o < olds.length; o++) equal[o] = partnerOfOld[o] === -1 ? 0 : 1;
  const grouped: LeafGroup[] = [];
  matchInPlace(olds, news, unmatched(partnerOfOld), unmatched(partnerOfNew), join);
  let restOld = unmatched(partnerOfOld);
  let restNew = unmatched(partnerOfNew);
  if (restOld.length > 0 && restNew.length > 0) {
    const overlap = overlapOf(olds, news, restOld, restNew);
    const fixed = sameStructure(olds, news);
    if (!fixed) grouped.push(...splitsAndMerges(restOld, restNew, overlap, news.length, join));
    const inGroup = (side: 'old' | 'new'): Set<number> => new Set(grouped.flatMap((group) => group[side]));
    const groupedOld = inGroup('old');
    const groupedNew = inGroup('new');
    restOld = restOld.filter((o) => !groupedOld.has(o));
    restNew = restNew.filter((n) => !groupedNew.has(n));
    matchSimilar(olds, news, restOld, restNew, overlap, fixed ? FIXED_WEIGHT : 0, partnerOfOld, join);
    const open = (o: number): boolean => partnerOfOld[o] === -1;
    const openNew = (n: number): boolean => partnerOfNew[n] === -1;
    matchBetween(olds, news, restOld.filter(open), restNew.filter(openNew), partnerOfOld, partnerOfNew, join);
  }
  return { groups: groupsOf(partnerOfOld, partnerOfNew, equal, grouped), partnerOfOld, partnerOfNew };
}

/** The same leaves by place: none came, went, was split or merged, though their content may have changed seats. */
const sameStructure = (olds: readonly Block[], news: readonly Block[]): boolean =>
  olds.length === news.length && olds.every((block, i) => block.ref === (news[i] as Block).ref);

type Join = (old: number, now: number) => void;

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function positionsByRef(blocks: readonly Block[], wanted: readonly number[]): Map<string, number> {
  const byRef = new Map<string, number>();
  for (const at of wanted) byRef.set((blocks[at] as Block).ref, at);
  return byRef;
}

const unmatched = (partners: Int32Array): number[] => {
  const rest: number[] = [];
  partners.forEach((partner, i) => {
    if (partner === -1) rest.push(i);
  });
  return rest;
};

/** Step 1. Blocks with equal content pair by place first, then in reading order. */
function matchEqual(
  olds: readonly Block[],
  news: readonly Block[],
  partnerOfOld: Int32Array,
  partnerOfNew: Int32Array,
  join: Join,
): void {
  const byRef = new Map<string, number>();
  olds.forEach((block, o) => {
    byRef.set(block.ref, o);
  });
  news.forEach((block, n) => {
    const o = byRef.get(block.ref);
    if (o !== undefined && (olds[o] as Block).id === block.id) join(o, n);
  });
  const byId = new Map<string, number[]>();
  for (let o = olds.length - 1; o >= 0; o--) {
    if (partnerOfOld[o] !== -1) continue;
    const { id } = olds[o] as Block;
    const list = byId.get(id);
    if (list) list.push(o);
    else byId.set(id, [o]);
  }
  if (byId.size === 0) return;
  news.forEach((block, n) => {
    if (partnerOfNew[n] !== -1) return;
    const o = byId.get(block.id)?.pop();
    if (o !== undefined) join(o, n);
  });
}

/** Of what two leaves hold together; above it no other leaf can hold more, or nothing can have been split off. */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

/**
 * The usual case, without an index: leaves in one place whose lists begin and end alike. Where all changed leaves
 * are where they were, what shares most is settled; else, as one may have been split, only what is nearly equal.
 */
function matchInPlace(
  olds: readonly Block[],
  news: readonly Block[],
  restOld: readonly number[],
  restNew: readonly number[],
  join: Join,
): void {
  const byRef = positionsByRef(olds, restOld);
  const found: { o: number; n: number; alike: number }[] = [];
  let inPlace = 0;
  for (const n of restNew) {
    const o = byRef.get((news[n] as Block).ref);
    if (o === undefined) continue;
    inPlace++;
    const alike = endsInCommon(olds[o] as Block, news[n] as Block);
    if (alike > MOST) found.push({ o, n, alike });
  }
  const all = inPlace === restOld.length && inPlace === restNew.length;
  for (const { o, n, alike } of found) if (all || alike > NEARLY_ALL) join(o, n);
}

/** Elements at the ends of the lists of both blocks, of all they hold together. */
function endsInCommon(a: Block, b: Block): number {
  const shared = endsOf(a.links, b.links) + endsOf(a.images, b.images) + endsOf(a.texts, b.texts);
  return shared / (sizeOf(a) + sizeOf(b) - shared);
}

function endsOf(a: readonly { readonly id: string }[], b: readonly { readonly id: string }[]): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start]?.id === b[start]?.id) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end]?.id === b[b.length - 1 - end]?.id) end++;
  return start + end;
}

const sizeOf = (block: Block): number => block.links.length + block.images.length + block.texts.length;

/** Step 2. */
function splitsAndMerges(
  restOld: readonly number[],
  restNew: readonly number[],
  overlap: Overlap,
  width: number,
  join: Join,
): LeafGroup[] {
  const newOf = new Map<number, number[]>();
  const oldOf = new Map<number, number[]>();
  for (const key of overlap.pairs.keys()) {
    const o = Math.floor(key / width);
    const n = key % width;
    append(newOf, o, n);
    append(oldOf, n, o);
  }
  const takenOld = new Set<number>();
  const takenNew = new Set<number>();
  const massOfOld = (o: number): number => overlap.massOfOld[o] as number;
  const massOfNew = (n: number): number => overlap.massOfNew[n] as number;
  const splits = findParts(
    'split',
    {
      wholes: restOld.filter((o) => (newOf.get(o)?.length ?? 0) > 1),
      parts: restNew,
      massOfWhole: massOfOld,
      massOfPart: massOfNew,
      sharers: (o) => newOf.get(o) ?? [],
      shared: (o, n) => overlap.shared(o, n),
    },
    { whole: takenOld, part: takenNew },
  );
  const merges = findParts(
    'merge',
    {
      wholes: restNew.filter((n) => (oldOf.get(n)?.length ?? 0) > 1),
      parts: restOld,
      massOfWhole: massOfNew,
      massOfPart: massOfOld,
      sharers: (n) => oldOf.get(n) ?? [],
      shared: (n, o) => overlap.shared(o, n),
    },
    { whole: takenNew, part: takenOld },
  );
  const largest = (parts: readonly number[], shared: (part: number) => number): number =>
    parts.reduce((best, part) => (shared(part) > shared(best) ? part : best));
  return [
    ...splits.map(({ whole, parts }): LeafGroup => {
      const heir = largest(parts, (n) => overlap.shared(whole, n));
      join(whole, heir);
      return { old: [whole], new: parts, structure: 'split', equal: false };
    }),
    ...merges.map(({ whole, parts }): LeafGroup => {
      const heir = largest(parts, (o) => overlap.shared(o, whole));
      join(heir, whole);
      return { old: parts, new: [whole], structure: 'merge', equal: false };
    }),
  ];
}

/** Step 3. */
function matchSimilar(
  olds: readonly Block[],
  news: readonly Block[],
  restOld: readonly number[],
  restNew: readonly number[],
  overlap: Overlap,
  refWeight: number,
  partnerOfOld: Int32Array,
  join: Join,
): void {
  const width = news.length;
  const content = new Map<number, number>();
  const isRestOld = new Set(restOld);
  const isRestNew = new Set(restNew);
  const settled = new Set<number>();
  for (const [key, shared] of overlap.pairs) {
    const o = Math.floor(key / width);
    const n = key % width;
    if (!isRestOld.has(o) || !isRestNew.has(n)) continue;
    const jaccard = shared / ((overlap.massOfOld[o] as number) + (overlap.massOfNew[n] as number) - shared);
    content.set(key, jaccard);
    // Elements in common say enough; words need not be sketched.
    if (jaccard >= SAME_CONTENT) settled.add(o).add(-1 - n);
  }
  const sketchesOld: (Sketch | undefined)[] = olds.map(() => undefined);
  const sketchesNew: (Sketch | undefined)[] = news.map(() => undefined);
  for (const o of restOld) if (!settled.has(o)) sketchesOld[o] = sketchOf(olds[o] as Block);
  for (const n of restNew) if (!settled.has(-1 - n)) sketchesNew[n] = sketchOf(news[n] as Block);
  eachAgreement(sketchesOld, sketchesNew, (o, n) => {
    const key = o * width + n;
    if (!content.has(key)) content.set(key, 0);
  });
  const byRef = positionsByRef(olds, restOld);
  for (const n of restNew) {
    const o = byRef.get((news[n] as Block).ref);
    if (o !== undefined && !content.has(o * width + n)) content.set(o * width + n, 0);
  }
  const shifts = shiftsBefore(olds, news, partnerOfOld);
  const candidates: { o: number; n: number; score: number }[] = [];
  for (const [key, jaccard] of content) {
    const o = Math.floor(key / width);
    const n = key % width;
    const [a, b] = [sketchesOld[o], sketchesNew[n]];
    const same = a && b ? Math.max(jaccard, sketchSimilarity(a, b)) : jaccard;
    const [old, now] = [olds[o] as Block, news[n] as Block];
    const score = scoreOf(old, now, same, shifts[o] as number) + (old.ref === now.ref ? refWeight : 0);
    if (same >= SAME_CONTENT || score >= SAME_BLOCK) candidates.push({ o, n, score });
  }
  candidates.sort((a, b) => b.score - a.score || a.o - b.o || a.n - b.n);
  for (const { o, n } of candidates) {
    if (!isRestOld.delete(o)) continue;
    if (isRestNew.delete(n)) join(o, n);
    else isRestOld.add(o);
  }
}

function scoreOf(old: Block, now: Block, content: number, shift: number): number {
  const [x, y, width, height] = old.box;
  const place = Math.max(iou(old.box, now.box), iou([x, y + shift, width, height], now.box));
  return CONTENT_WEIGHT * content + PLACE_WEIGHT * place + MAKE_UP_WEIGHT * makeUp(old, now);
}

/** 1 where links, images and texts stand in the same proportion, 0 where the kinds have nothing in common. */
function makeUp(a: Block, b: Block): number {
  const [sumA, sumB] = [sizeOf(a), sizeOf(b)];
  if (sumA === 0 || sumB === 0) return sumA === sumB ? 1 : 0;
  const apart = (x: number, y: number): number => Math.abs(x / sumA - y / sumB);
  const difference =
    apart(a.links.length, b.links.length) +
    apart(a.images.length, b.images.length) +
    apart(a.texts.length, b.texts.length);
  return 1 - difference / 2;
}

/** For each old leaf, how far the nearest matched leaf before it went down the page: content above pushes. */
function shiftsBefore(olds: readonly Block[], news: readonly Block[], partnerOfOld: Int32Array): number[] {
  let shift = 0;
  return olds.map((block, o) => {
    const n = partnerOfOld[o] as number;
    if (n !== -1) shift = (news[n] as Block).box[1] - block.box[1];
    return shift;
  });
}

/** Step 4: new content in an old place. */
function matchBetween(
  olds: readonly Block[],
  news: readonly Block[],
  restOld: readonly number[],
  restNew: readonly number[],
  partnerOfOld: Int32Array,
  partnerOfNew: Int32Array,
  join: Join,
): void {
  if (restOld.length === 0 || restNew.length === 0) return;
  const waiting = new Map<number, number[]>();
  const wanted = new Set(restOld);
  let before = -1;
  olds.forEach((_, o) => {
    if (partnerOfOld[o] !== -1) before = partnerOfOld[o] as number;
    else if (wanted.has(o)) append(waiting, before, o);
  });
  const wantedNew = new Set(restNew);
  before = -1;
  const found: [number, number][] = [];
  news.forEach((block, n) => {
    if (partnerOfNew[n] !== -1) before = n;
    else if (wantedNew.has(n)) {
      const gap = waiting.get(before);
      const o = gap?.[0];
      if (o === undefined || !sameColumn((olds[o] as Block).box, block.box)) return;
      gap?.shift();
      found.push([o, n]);
    }
  });
  for (const [o, n] of found) join(o, n);
}

/** In the reading order of the new layout; blocks that went stand after the one they followed. */
function groupsOf(
  partnerOfOld: Int32Array,
  partnerOfNew: Int32Array,
  equal: Uint8Array,
  grouped: readonly LeafGroup[],
): LeafGroup[] {
  const ofOld = new Map<number, LeafGroup>();
  const ofNew = new Map<number, LeafGroup>();
  for (const group of grouped) {
    for (const o of group.old) ofOld.set(o, group);
    for (const n of group.new) ofNew.set(n, group);
  }
  const gone = new Map<number, LeafGroup[]>();
  let before = -1;
  partnerOfOld.forEach((n, o) => {
    if (n !== -1) before = n;
    else if (!ofOld.has(o)) {
      append(gone, before, { old: [o], new: [], equal: false });
    }
  });
  const groups: LeafGroup[] = [...(gone.get(-1) ?? [])];
  const done = new Set<LeafGroup>();
  partnerOfNew.forEach((o, n) => {
    const group = ofNew.get(n);
    if (group) {
      if (!done.has(group)) groups.push(group);
      done.add(group);
    } else if (o === -1) groups.push({ old: [], new: [n], equal: false });
    else groups.push({ old: [o], new: [n], equal: equal[o] === 1 });
    groups.push(...(gone.get(n) ?? []));
  });
  return groups;
}
