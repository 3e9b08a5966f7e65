import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { overlapOf } from './block-overlap.ts';
import { type LeafGroup, LeafPairs, sizeOf } from './leaf-pairs.ts';
import { matchBetween } from './match-between.ts';
import { matchEqual, matchInPlace } from './match-equal.ts';
import { matchSimilar } from './match-similar.ts';
import { type LeafOrder, leafOrder } from './reading-order.ts';
import { findSplitsAndMerges } from './split-merge.ts';

/**
 * Step 1 of Vi-DIFF (Pehlivan, Ben Saad, Gançarski, IWAW 2009 §5.2, "Initialization"): which leaf of the new layout
 * corresponds to which of the old one.
 *
 * Departure: the paper assumes that the structure of blocks does not change (§5) and compares them place by place. Real
 * pages change it, so here blocks are identified by what they hold, then by where they are:
 *
 * 1. equal ids, then nearly equal content in the same place (match-equal.ts);
 * 2. one leaf covered by several, or several by one: split, merge (split-merge.ts);
 * 3. best score first of content, place and make-up (match-similar.ts);
 * 4. of the rest, those between the same neighbours and in the same column (match-between.ts).
 *
 * Leaves without a partner came or went.
 */
export interface BlockMatch {
  readonly pairs: LeafPairs;
  readonly order: LeafOrder;
  /** In the reading order of the new layout; blocks that went come after the one they followed. */
  readonly groups: readonly LeafGroup[];
}

export function matchBlocks(olds: readonly Block[], news: readonly Block[]): BlockMatch {
  const pairs = new LeafPairs(olds, news);
  matchEqual(pairs);
  matchInPlace(pairs);
  if (pairs.openOld().length > 0 && pairs.openNew().length > 0) {
    const overlap = overlapOf(pairs);
    const fixed = sameStructure(olds, news);
    if (!fixed) findSplitsAndMerges(pairs, overlap);
    matchSimilar(pairs, overlap, fixed);
    matchBetween(pairs);
  }
  const order = leafOrder(pairs);
  withoutPassed(pairs, order);
  return { pairs, order, groups: groupsOf(pairs) };
}

/** A part that passed others on its way into the whole was not merged with its neighbours: it moved there. */
function withoutPassed(pairs: LeafPairs, order: LeafOrder): void {
  const { keptOld, keptNew } = order;
  for (const group of pairs.parted) crownAnother(pairs, order, group);
  const { partnerOfOld, partnerOfNew } = pairs;
  pairs.parted = pairs.parted.flatMap((group): LeafGroup[] => {
    const old = group.old.filter((o) => keptOld[o] === 1 || partnerOfOld[o] !== -1);
    const now = group.new.filter((n) => keptNew[n] === 1 || partnerOfNew[n] !== -1);
    if (old.length === group.old.length && now.length === group.new.length) return [group];
    return old.length + now.length > 2 ? [{ ...group, old, new: now }] : [];
  });
}

/** Where the heir itself passed others, the largest part that did not becomes the heir instead. */
function crownAnother(pairs: LeafPairs, { keptOld, keptNew }: LeafOrder, { old, new: now }: LeafGroup): void {
  const { olds, news, partnerOfOld, partnerOfNew } = pairs;
  const largest = (list: readonly number[], blocks: readonly Block[]): number | undefined =>
    list.toSorted((a, b) => sizeOf(blocks[b] as Block) - sizeOf(blocks[a] as Block))[0];
  const heirOld = old.find((o) => partnerOfOld[o] !== -1) as number;
  const heirNew = partnerOfOld[heirOld] as number;
  if (keptOld[heirOld] === 1) return;
  const other = {
    old:
      old.length > 1
        ? largest(
            old.filter((o) => keptOld[o] === 1),
            olds,
          )
        : heirOld,
    new:
      now.length > 1
        ? largest(
            now.filter((n) => keptNew[n] === 1),
            news,
          )
        : heirNew,
  };
  if (other.old === undefined || other.new === undefined) return;
  partnerOfOld[heirOld] = -1;
  partnerOfNew[heirNew] = -1;
  pairs.join(other.old, other.new);
  keptOld[other.old] = 1;
  keptNew[other.new] = 1;
}

/** The same leaves by position: none came, went, was split or merged, though their content may have swapped places. */
const sameStructure = (olds: readonly Block[], news: readonly Block[]): boolean =>
  olds.length === news.length && olds.every((block, i) => block.ref === (news[i] as Block).ref);

function groupsOf({ partnerOfOld, partnerOfNew, equal, parted }: LeafPairs): LeafGroup[] {
  const ofOld = new Map<number, LeafGroup>();
  const ofNew = new Map<number, LeafGroup>();
  for (const group of parted) {
    for (const o of group.old) ofOld.set(o, group);
    for (const n of group.new) ofNew.set(n, group);
  }
  const gone = new Map<number, LeafGroup[]>();
  let before = -1;
  partnerOfOld.forEach((n, o) => {
    if (n !== -1) before = n;
    else if (!ofOld.has(o)) append(gone, before, { old: [o], new: [], equal: false });
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
