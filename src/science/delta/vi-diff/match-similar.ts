import type { Block } from '../../../model/layout.ts';
import type { Overlap } from './block-overlap.ts';
import { eachAgreement, sketchOf, sketchSimilarity, type WordSketch } from './block-sketch.ts';
import { iou } from './box-overlap.ts';
import { type LeafPairs, positionsByRef, sizeOf } from './leaf-pairs.ts';
import { PairTable } from './pair-table.ts';

/**
 * Pairs leaves that are much alike, best score first: content (shared elements or words), place (IoU, corrected for the
 * shift of the block before), make-up (links, images, texts).
 */

/** Shared content that makes two leaves one wherever they are; and the score that does so with the help of place. */
const SAME_CONTENT = 0.3;
const SAME_BLOCK = 0.3;
const CONTENT_WEIGHT = 0.6;
const PLACE_WEIGHT = 0.3;
const MAKE_UP_WEIGHT = 0.1;
/** Bonus for an equal ref where the tree of blocks is the same, as the paper assumes it to be. */
const FIXED_WEIGHT = 0.2;

/** @param fixed whether the tree of blocks is the same */
export function matchSimilar(pairs: LeafPairs, overlap: Overlap, fixed: boolean): void {
  const { olds, news } = pairs;
  const openOld = new Set(pairs.openOld());
  const openNew = new Set(pairs.openNew());
  const refWeight = fixed ? FIXED_WEIGHT : 0;
  const { content, sketchOld, sketchNew } = likeness(pairs, overlap);
  const shifts = shiftsBefore(pairs);
  const candidates: { o: number; n: number; score: number }[] = [];
  content.forEach((o, n, jaccard) => {
    const [a, b] = [sketchOld[o], sketchNew[n]];
    const same = a && b ? Math.max(jaccard, sketchSimilarity(a, b)) : jaccard;
    const [old, now] = [olds[o] as Block, news[n] as Block];
    const score = scoreOf(old, now, same, shifts[o] as number) + (old.ref === now.ref ? refWeight : 0);
    if (same >= SAME_CONTENT || score >= SAME_BLOCK) candidates.push({ o, n, score });
  });
  candidates.sort((a, b) => b.score - a.score || a.o - b.o || a.n - b.n);
  for (const { o, n } of candidates) {
    if (!openOld.has(o) || !openNew.has(n)) continue;
    openOld.delete(o);
    openNew.delete(n);
    pairs.join(o, n);
  }
}

interface Likeness {
  /** Jaccard similarity by elements, for each pair worth examining. */
  readonly content: PairTable;
  /** For leaves that elements alone do not settle. */
  readonly sketchOld: readonly (WordSketch | undefined)[];
  readonly sketchNew: readonly (WordSketch | undefined)[];
}

/** Pairs that share an element, agree in a bin of their sketches, or are at the same place. */
function likeness(pairs: LeafPairs, { shared, massOfOld, massOfNew }: Overlap): Likeness {
  const { olds, news } = pairs;
  const openOld = pairs.openOld();
  const openNew = pairs.openNew();
  const isOpenOld = new Set(openOld);
  const isOpenNew = new Set(openNew);
  const content = new PairTable(news.length);
  const settledOld = new Set<number>();
  const settledNew = new Set<number>();
  shared.forEach((o, n, mass) => {
    if (!isOpenOld.has(o) || !isOpenNew.has(n)) return;
    const jaccard = mass / ((massOfOld[o] as number) + (massOfNew[n] as number) - mass);
    content.set(o, n, jaccard);
    // Common elements are enough; words need not be sketched.
    if (jaccard < SAME_CONTENT) return;
    settledOld.add(o);
    settledNew.add(n);
  });
  const sketchOld: (WordSketch | undefined)[] = olds.map(() => undefined);
  const sketchNew: (WordSketch | undefined)[] = news.map(() => undefined);
  for (const o of openOld) if (!settledOld.has(o)) sketchOld[o] = sketchOf(olds[o] as Block);
  for (const n of openNew) if (!settledNew.has(n)) sketchNew[n] = sketchOf(news[n] as Block);
  eachAgreement(sketchOld, sketchNew, (o, n) => content.mention(o, n));
  const byRef = positionsByRef(olds, openOld);
  for (const n of openNew) {
    const o = byRef.get((news[n] as Block).ref);
    if (o !== undefined) content.mention(o, n);
  }
  return { content, sketchOld, sketchNew };
}

function scoreOf(old: Block, now: Block, content: number, shift: number): number {
  const [x, y, width, height] = old.box;
  const place = Math.max(iou(old.box, now.box), iou([x, y + shift, width, height], now.box));
  return CONTENT_WEIGHT * content + PLACE_WEIGHT * place + MAKE_UP_WEIGHT * makeUp(old, now);
}

/** 1 where links, images and texts are in the same proportion, 0 where they have no kind in common. */
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

/** For each old leaf, how far down the nearest matched leaf before it moved: new content above pushes everything down. */
function shiftsBefore({ olds, news, partnerOfOld }: LeafPairs): number[] {
  let shift = 0;
  return olds.map((block, o) => {
    const n = partnerOfOld[o] as number;
    if (n !== -1) shift = (news[n] as Block).box[1] - block.box[1];
    return shift;
  });
}
