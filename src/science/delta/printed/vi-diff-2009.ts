/**
 * Vi-DIFF as printed: Pehlivan, Ben Saad, Gançarski, "A Novel Web Archiving Approach based on Visual Pages Analysis"
 * (IWAW 2009) §5.2, Fig. 6. The reference for measuring our own; no production code calls it. The k-th block of one
 * version is compared with the k-th of the other, since the paper assumes a fixed structure of blocks; links and images
 * of all blocks that differ are sorted by name and merged; the text of a block is one text.
 *
 *   T1, T2           old, now              layouts of two versions, the older first
 *   B1[i], B2[i]     leaves, paired by their place in reading order
 *   ID, Ref          Element.id, Listed.block
 *   Name, Adr/Src    the key of the sort, and what an update changes
 *   DT               PrintedDelta
 *
 * Readings where the text leaves a choice
 * - Fig. 6 line 7 advances both counters only where Refs differ, which would never end; the prose advances them always.
 * - Lines 12-27 delete from a list that has ended; the prose inserts, or deletes, what is left of the other one.
 * - "The number of different words" of two texts: those of either without a partner in the other, a word in the place of
 *   another counted once.
 * - Versions with unequal numbers of blocks, which the paper excludes: the blocks without a partner came or went whole.
 *
 * O(n log n) by the sort.
 */
import type { PageElement } from '../../../model/delta.ts';
import type { Block, ImageElement, Layout, LinkElement } from '../../../model/layout.ts';
import { leavesOf, traverse } from '../vi-diff/flat-blocks.ts';
import { SAME_TEXT, wordsOf } from '../vi-diff/text-distance.ts';

export interface PrintedOperation {
  readonly op: 'insert' | 'delete' | 'update' | 'move';
  readonly element: 'link' | 'image' | 'text';
  /** Index of its pair of blocks; for a move, of the one that it reached. */
  readonly pair: number;
  readonly old?: PageElement;
  readonly new?: PageElement;
}

/** Blocks at the same place in the reading order. */
export interface PairedBlocks {
  readonly old?: Block;
  readonly new?: Block;
}

export interface PrintedDelta {
  readonly pairs: readonly PairedBlocks[];
  readonly operations: readonly PrintedOperation[];
}

type Named = LinkElement | ImageElement;

interface Listed {
  readonly value: Named;
  readonly pair: number;
}

export function viDiff2009(old: Layout, now: Layout): PrintedDelta {
  // Step 1: initialization (lines 1-12).
  const pairs = pairedBlocks(leavesOf(traverse(old)), leavesOf(traverse(now)));
  const operations: PrintedOperation[] = [];
  const changed = pairs
    .map(({ old: a, new: b }, pair) => ({ a, b, pair }))
    .filter(({ a, b }) => a?.id !== b?.id);
  // Step 2: detecting changes (lines 13-15).
  for (const element of ['link', 'image'] as const) {
    const elementsOf = (block: Block | undefined): readonly Named[] =>
      (element === 'link' ? block?.links : block?.images) ?? [];
    const [list1, list2]: [Listed[], Listed[]] = [[], []];
    for (const { a, b, pair } of changed) {
      const [olds, news] = [elementsOf(a), elementsOf(b)];
      if (sameIds(olds, news)) continue;
      for (const value of olds) list1.push({ value, pair });
      for (const value of news) list2.push({ value, pair });
    }
    detectChanges(list1, list2, element, operations);
  }
  for (const { a, b, pair } of changed) detectTextChanges(a, b, pair, operations);
  return { pairs, operations };
}

const pairedBlocks = (olds: readonly Block[], news: readonly Block[]): PairedBlocks[] =>
  Array.from({ length: Math.max(olds.length, news.length) }, (_, i) => ({
    ...(olds[i] && { old: olds[i] }),
    ...(news[i] && { new: news[i] }),
  }));

const sameIds = (a: readonly Named[], b: readonly Named[]): boolean =>
  a.length === b.length && a.every(({ id }, i) => id === b[i]?.id);

const byName = (a: Listed, b: Listed): number =>
  a.value.name < b.value.name ? -1 : a.value.name > b.value.name ? 1 : 0;

/** The merge of two sorted lists (procedure DetectChanges). */
function detectChanges(
  list1: Listed[],
  list2: Listed[],
  element: 'link' | 'image',
  into: PrintedOperation[],
): void {
  list1.sort(byName);
  list2.sort(byName);
  let [i, j] = [0, 0];
  while (i < list1.length || j < list2.length) {
    const [a, b] = [list1[i], list2[j]];
    if (a && b && a.value.id === b.value.id) {
      if (a.pair !== b.pair) into.push({ op: 'move', element, pair: b.pair, old: a.value, new: b.value });
      i++;
      j++;
    } else if (a && b && a.value.name === b.value.name) {
      into.push({ op: 'update', element, pair: b.pair, old: a.value, new: b.value });
      i++;
      j++;
    } else if (a && (!b || a.value.name < b.value.name)) {
      into.push({ op: 'delete', element, pair: a.pair, old: a.value });
      i++;
    } else if (b) {
      into.push({ op: 'insert', element, pair: b.pair, new: b.value });
      j++;
    }
  }
}

const textOf = (block: Block | undefined): string => (block?.texts ?? []).map(({ text }) => text).join(' ');

/** §5.2, "For Texts". */
function detectTextChanges(
  a: Block | undefined,
  b: Block | undefined,
  pair: number,
  into: PrintedOperation[],
): void {
  const [text1, text2] = [textOf(a), textOf(b)];
  if (text1 === text2) return;
  const [old, now] = [
    { id: `${a?.id}`, text: text1 },
    { id: `${b?.id}`, text: text2 },
  ];
  if (text1 !== '' && text2 !== '' && printedTextDistance(text1, text2) <= SAME_TEXT) {
    into.push({ op: 'update', element: 'text', pair, old, new: now });
    return;
  }
  if (text1 !== '') into.push({ op: 'delete', element: 'text', pair, old });
  if (text2 !== '') into.push({ op: 'insert', element: 'text', pair, new: now });
}

/** Different words ÷ words of the first text; it can exceed 1, and is not symmetric. */
export function printedTextDistance(first: string, second: string): number {
  const words = wordsOf(first);
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let unpaired2 = 0;
  let unpaired1 = words.length;
  for (const word of wordsOf(second)) {
    const count = left.get(word) ?? 0;
    if (count === 0) unpaired2++;
    else {
      left.set(word, count - 1);
      unpaired1--;
    }
  }
  return words.length === 0 ? Math.sign(unpaired2) : Math.max(unpaired1, unpaired2) / words.length;
}
